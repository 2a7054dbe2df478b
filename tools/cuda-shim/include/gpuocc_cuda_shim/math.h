//===- math.h - Single-precision mathematics on the device -----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written with the machine's own instructions, without a device library.
// Functions with two underscores are one instruction, as in CUDA. Those
// without are exact where the machine is (fma, sqrt, division, rounding) and
// otherwise a short range reduction and a polynomial or a special-function
// instruction: of the same shape and cost as a toolkit's fast path, without
// its care for huge arguments. Their values are for reading code, not for
// computing with.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_MATH_H
#define GPUOCC_CUDA_SHIM_MATH_H

// First the C library's declarations, so that those here overload them.
#include <math.h>
#include <stdlib.h>

#define GPUOCC_SHIM_DEVICE                                                     \
  static inline __attribute__((device, always_inline, nodebug))

// One instruction each.
GPUOCC_SHIM_DEVICE float __fmaf_rn(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
GPUOCC_SHIM_DEVICE float __fdividef(float x, float y) {
  return __nvvm_div_approx_f(x, y);
}
GPUOCC_SHIM_DEVICE float __frcp_rn(float x) { return __nvvm_rcp_rn_f(x); }
GPUOCC_SHIM_DEVICE float __fsqrt_rn(float x) { return __nvvm_sqrt_rn_f(x); }
GPUOCC_SHIM_DEVICE float __frsqrt_rn(float x) {
  return __nvvm_rsqrt_approx_f(x);
}
GPUOCC_SHIM_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
GPUOCC_SHIM_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
GPUOCC_SHIM_DEVICE float __expf(float x) {
  return __nvvm_ex2_approx_f(x * 1.4426950408889634f); // log2(e)
}
GPUOCC_SHIM_DEVICE float __logf(float x) {
  return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; // ln(2)
}
GPUOCC_SHIM_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
GPUOCC_SHIM_DEVICE float __powf(float x, float y) {
  return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
GPUOCC_SHIM_DEVICE float __saturatef(float x) { return __nvvm_saturate_f(x); }
GPUOCC_SHIM_DEVICE int __popc(unsigned int x) { return __builtin_popcount(x); }
GPUOCC_SHIM_DEVICE int __clz(int x) {
  return x ? __builtin_clz(static_cast<unsigned int>(x)) : 32;
}
GPUOCC_SHIM_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
GPUOCC_SHIM_DEVICE float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
GPUOCC_SHIM_DEVICE int __float_as_int(float x) {
  return __builtin_bit_cast(int, x);
}
template <class T> GPUOCC_SHIM_DEVICE T __ldg(const T *address) {
  return *address;
}

// Exact functions.
GPUOCC_SHIM_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
GPUOCC_SHIM_DEVICE float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
GPUOCC_SHIM_DEVICE float fminf(float x, float y) {
  return __builtin_fminf(x, y);
}
GPUOCC_SHIM_DEVICE float fmaxf(float x, float y) {
  return __builtin_fmaxf(x, y);
}
GPUOCC_SHIM_DEVICE float floorf(float x) { return __builtin_floorf(x); }
GPUOCC_SHIM_DEVICE float ceilf(float x) { return __builtin_ceilf(x); }
GPUOCC_SHIM_DEVICE float truncf(float x) { return __builtin_truncf(x); }
GPUOCC_SHIM_DEVICE float rintf(float x) { return __builtin_rintf(x); }
GPUOCC_SHIM_DEVICE float copysignf(float x, float y) {
  return __builtin_copysignf(x, y);
}
GPUOCC_SHIM_DEVICE float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
GPUOCC_SHIM_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }

// e^x = 2^k e^r with k = round(x log2 e) and r = x - k ln 2, where ln 2 is in
// two parts so that the product with the first is exact.
GPUOCC_SHIM_DEVICE float expf(float x) {
  float k = __builtin_rintf(x * 1.4426950408889634f);
  float r = __builtin_fmaf(k, -0.693359375f, x);
  r = __builtin_fmaf(k, 2.12194440e-4f, r);
  return __nvvm_ex2_approx_f(r * 1.4426950408889634f) * __nvvm_ex2_approx_f(k);
}
GPUOCC_SHIM_DEVICE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }

// ln x = e ln 2 + ln(1 + f) with x = 2^e (1 + f) and 1 + f in [2/3, 4/3); the
// polynomial interpolates (ln(1 + f) - f) / f^2 at Chebyshev points of
// [-1/3, 1/3], with an error under 2.4e-8 in ln(1 + f).
GPUOCC_SHIM_DEVICE float logf(float x) {
  int exponent = (__float_as_int(x) - 0x3f2aaaab) & 0xff800000; // 2/3
  float f = __int_as_float(__float_as_int(x) - exponent) - 1.0f;
  float e = static_cast<float>(exponent) * 0x1p-23f;
  float q = 0.134257490f;
  q = __builtin_fmaf(q, f, -0.150407637f);
  q = __builtin_fmaf(q, f, 0.141183099f);
  q = __builtin_fmaf(q, f, -0.164830175f);
  q = __builtin_fmaf(q, f, 0.200037803f);
  q = __builtin_fmaf(q, f, -0.250041462f);
  q = __builtin_fmaf(q, f, 0.333333202f);
  q = __builtin_fmaf(q, f, -0.499999856f);
  return __builtin_fmaf(e, 0.693147182f, __builtin_fmaf(q, f * f, f));
}

// The argument less its whole turns, in two steps for accuracy, then the
// special-function instruction.
GPUOCC_SHIM_DEVICE float gpuoccShimReduceTurns(float x) {
  float turns = __builtin_rintf(x * 0.15915494309189535f); // 1 / (2 pi)
  float r = __builtin_fmaf(turns, -6.28125f, x);
  return __builtin_fmaf(turns, -1.93530717e-3f, r);
}
GPUOCC_SHIM_DEVICE float sinf(float x) {
  return __nvvm_sin_approx_f(gpuoccShimReduceTurns(x));
}
GPUOCC_SHIM_DEVICE float cosf(float x) {
  return __nvvm_cos_approx_f(gpuoccShimReduceTurns(x));
}

GPUOCC_SHIM_DEVICE int min(int x, int y) { return x < y ? x : y; }
GPUOCC_SHIM_DEVICE int max(int x, int y) { return x < y ? y : x; }
GPUOCC_SHIM_DEVICE unsigned int min(unsigned int x, unsigned int y) {
  return x < y ? x : y;
}
GPUOCC_SHIM_DEVICE unsigned int max(unsigned int x, unsigned int y) {
  return x < y ? y : x;
}
GPUOCC_SHIM_DEVICE float min(float x, float y) { return __builtin_fminf(x, y); }
GPUOCC_SHIM_DEVICE float max(float x, float y) { return __builtin_fmaxf(x, y); }

#undef GPUOCC_SHIM_DEVICE

#endif // GPUOCC_CUDA_SHIM_MATH_H
