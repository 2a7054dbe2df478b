//===- math.h - Arithmetic and mathematics in fp32 -------------*- CUDA -*-===//
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
GPUOCC_SHIM_DEVICE unsigned int __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned int, x);
}
GPUOCC_SHIM_DEVICE float __uint_as_float(unsigned int x) {
  return __builtin_bit_cast(float, x);
}
GPUOCC_SHIM_DEVICE long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
GPUOCC_SHIM_DEVICE double __longlong_as_double(long long x) {
  return __builtin_bit_cast(double, x);
}
GPUOCC_SHIM_DEVICE int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
GPUOCC_SHIM_DEVICE int __clzll(long long x) {
  return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64;
}
GPUOCC_SHIM_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
GPUOCC_SHIM_DEVICE unsigned int __brev(unsigned int x) {
  return __builtin_bitreverse32(x);
}
GPUOCC_SHIM_DEVICE unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
GPUOCC_SHIM_DEVICE int __mul24(int x, int y) {
  return (x << 8 >> 8) * (y << 8 >> 8);
}
GPUOCC_SHIM_DEVICE unsigned int __umul24(unsigned int x, unsigned int y) {
  return (x & 0xffffff) * (y & 0xffffff);
}
GPUOCC_SHIM_DEVICE int __mulhi(int x, int y) {
  return static_cast<int>(static_cast<long long>(x) * y >> 32);
}
GPUOCC_SHIM_DEVICE unsigned int __umulhi(unsigned int x, unsigned int y) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(x) * y >>
                                   32);
}
GPUOCC_SHIM_DEVICE int __float2int_rn(float x) {
  return static_cast<int>(__builtin_rintf(x));
}
GPUOCC_SHIM_DEVICE int __float2int_rz(float x) { return static_cast<int>(x); }
GPUOCC_SHIM_DEVICE int __float2int_rd(float x) {
  return static_cast<int>(__builtin_floorf(x));
}
GPUOCC_SHIM_DEVICE int __float2int_ru(float x) {
  return static_cast<int>(__builtin_ceilf(x));
}
GPUOCC_SHIM_DEVICE float __int2float_rn(int x) { return static_cast<float>(x); }
GPUOCC_SHIM_DEVICE float __uint2float_rn(unsigned int x) {
  return static_cast<float>(x);
}
GPUOCC_SHIM_DEVICE float __double2float_rn(double x) {
  return static_cast<float>(x);
}
GPUOCC_SHIM_DEVICE float __fadd_rn(float x, float y) {
  return __nvvm_add_rn_f(x, y);
}
GPUOCC_SHIM_DEVICE float __fsub_rn(float x, float y) {
  return __nvvm_add_rn_f(x, -y);
}
GPUOCC_SHIM_DEVICE float __fmul_rn(float x, float y) {
  return __nvvm_mul_rn_f(x, y);
}
GPUOCC_SHIM_DEVICE float __fdiv_rn(float x, float y) {
  return __nvvm_div_rn_f(x, y);
}
GPUOCC_SHIM_DEVICE double __dadd_rn(double x, double y) {
  return __nvvm_add_rn_d(x, y);
}
GPUOCC_SHIM_DEVICE double __dmul_rn(double x, double y) {
  return __nvvm_mul_rn_d(x, y);
}
GPUOCC_SHIM_DEVICE double __fma_rn(double x, double y, double z) {
  return __builtin_fma(x, y, z);
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

GPUOCC_SHIM_DEVICE void sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
GPUOCC_SHIM_DEVICE void __sincosf(float x, float *sine, float *cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
GPUOCC_SHIM_DEVICE float tanf(float x) { return __fdividef(sinf(x), cosf(x)); }
GPUOCC_SHIM_DEVICE float __tanf(float x) {
  return __fdividef(__sinf(x), __cosf(x));
}

// Logarithms and powers of other bases, from those above.
GPUOCC_SHIM_DEVICE float log2f(float x) { return logf(x) * 1.44269504f; }
GPUOCC_SHIM_DEVICE float log10f(float x) { return logf(x) * 0.434294482f; }
GPUOCC_SHIM_DEVICE float __log10f(float x) {
  return __nvvm_lg2_approx_f(x) * 0.301029996f;
}
GPUOCC_SHIM_DEVICE float __exp10f(float x) {
  return __nvvm_ex2_approx_f(x * 3.32192809f);
}
GPUOCC_SHIM_DEVICE float log1pf(float x) { return logf(1.0f + x); }
GPUOCC_SHIM_DEVICE float expm1f(float x) { return expf(x) - 1.0f; }
GPUOCC_SHIM_DEVICE float powf(float x, float y) {
  return expf(y * logf(__builtin_fabsf(x)));
}
GPUOCC_SHIM_DEVICE float cbrtf(float x) {
  return __builtin_copysignf(__powf(__builtin_fabsf(x), 0.333333333f), x);
}
GPUOCC_SHIM_DEVICE float hypotf(float x, float y) {
  return __nvvm_sqrt_rn_f(__builtin_fmaf(x, x, y * y));
}

// tanh x = 1 - 2 / (e^2x + 1), and for small arguments the odd polynomial of
// its Taylor series, which a toolkit has as well.
GPUOCC_SHIM_DEVICE float tanhf(float x) {
  float a = __builtin_fabsf(x);
  float far = 1.0f - 2.0f * __nvvm_rcp_rn_f(__expf(2.0f * a) + 1.0f);
  float s = x * x;
  float p = __builtin_fmaf(s, -0.0539682540f, 0.133333333f);
  p = __builtin_fmaf(p, s, -0.333333333f);
  float near = __builtin_fmaf(p * s, x, x);
  return a > 0.6f ? __builtin_copysignf(far, x) : near;
}
GPUOCC_SHIM_DEVICE float sinhf(float x) {
  float e = expf(x);
  return 0.5f * (e - __nvvm_rcp_rn_f(e));
}
GPUOCC_SHIM_DEVICE float coshf(float x) {
  float e = expf(x);
  return 0.5f * (e + __nvvm_rcp_rn_f(e));
}

// Abramowitz and Stegun, 7.1.26: an error under 1.5e-7.
GPUOCC_SHIM_DEVICE float erff(float x) {
  float a = __builtin_fabsf(x);
  float t = __nvvm_rcp_rn_f(__builtin_fmaf(a, 0.3275911f, 1.0f));
  float p = __builtin_fmaf(t, 1.061405429f, -1.453152027f);
  p = __builtin_fmaf(p, t, 1.421413741f);
  p = __builtin_fmaf(p, t, -0.284496736f);
  p = __builtin_fmaf(p, t, 0.254829592f);
  float y = __builtin_fmaf(-p * t, __expf(-a * a), 1.0f);
  return __builtin_copysignf(y, x);
}
GPUOCC_SHIM_DEVICE float erfcf(float x) { return 1.0f - erff(x); }
GPUOCC_SHIM_DEVICE float normcdff(float x) {
  return 0.5f * erfcf(x * -0.707106781f);
}

// Abramowitz and Stegun, 4.4.49, on [0, 1], and the reciprocal beyond.
GPUOCC_SHIM_DEVICE float atanf(float x) {
  float a = __builtin_fabsf(x);
  float r = a > 1.0f ? __nvvm_rcp_rn_f(a) : a;
  float s = r * r;
  float p = __builtin_fmaf(s, 0.0028662257f, -0.0161657367f);
  p = __builtin_fmaf(p, s, 0.0429096138f);
  p = __builtin_fmaf(p, s, -0.0752896400f);
  p = __builtin_fmaf(p, s, 0.1065626393f);
  p = __builtin_fmaf(p, s, -0.1420889944f);
  p = __builtin_fmaf(p, s, 0.1999355085f);
  p = __builtin_fmaf(p, s, -0.3333314528f);
  float y = __builtin_fmaf(p * s, r, r);
  return __builtin_copysignf(a > 1.0f ? 1.57079633f - y : y, x);
}
GPUOCC_SHIM_DEVICE float atan2f(float y, float x) {
  float a = atanf(__nvvm_div_rn_f(y, x));
  return x < 0.0f ? a + __builtin_copysignf(3.14159265f, y) : a;
}
GPUOCC_SHIM_DEVICE float asinf(float x) {
  return atan2f(x, __nvvm_sqrt_rn_f(__builtin_fmaf(-x, x, 1.0f)));
}
GPUOCC_SHIM_DEVICE float acosf(float x) { return 1.57079633f - asinf(x); }

GPUOCC_SHIM_DEVICE float roundf(float x) {
  return __builtin_truncf(x + __builtin_copysignf(0.5f, x));
}
GPUOCC_SHIM_DEVICE float fmodf(float x, float y) {
  return __builtin_fmaf(-__builtin_truncf(__nvvm_div_rn_f(x, y)), y, x);
}
GPUOCC_SHIM_DEVICE float fdividef(float x, float y) {
  return __nvvm_div_approx_f(x, y);
}
GPUOCC_SHIM_DEVICE float ldexpf(float x, int exponent) {
  return x * __int_as_float((exponent + 127) << 23);
}

// The host has these too.
#define GPUOCC_SHIM_BOTH                                                       \
  static inline __attribute__((host, device, always_inline, nodebug))
#define GPUOCC_SHIM_MIN_MAX(Type)                                              \
  GPUOCC_SHIM_BOTH Type min(Type x, Type y) { return x < y ? x : y; }          \
  GPUOCC_SHIM_BOTH Type max(Type x, Type y) { return x < y ? y : x; }
GPUOCC_SHIM_MIN_MAX(int)
GPUOCC_SHIM_MIN_MAX(unsigned int)
GPUOCC_SHIM_MIN_MAX(long)
GPUOCC_SHIM_MIN_MAX(unsigned long)
GPUOCC_SHIM_MIN_MAX(long long)
GPUOCC_SHIM_MIN_MAX(unsigned long long)
#undef GPUOCC_SHIM_MIN_MAX
GPUOCC_SHIM_BOTH float min(float x, float y) { return __builtin_fminf(x, y); }
GPUOCC_SHIM_BOTH float max(float x, float y) { return __builtin_fmaxf(x, y); }

#undef GPUOCC_SHIM_BOTH
#undef GPUOCC_SHIM_DEVICE

#endif // GPUOCC_CUDA_SHIM_MATH_H
