//===- double.h - Mathematics in fp64 --------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As in math.h: exact where the machine is, else a range reduction and a
// polynomial as long as fp64 needs. Coefficients are those of Taylor series,
// where none is named: values are right to some ten digits, and those of erf()
// to seven. They are for reading code.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_DOUBLE_H
#define GPUOCC_CUDA_SHIM_DOUBLE_H

#define GPUOCC_SHIM_DEVICE                                                     \
  static inline __attribute__((device, always_inline, nodebug))

// Exact functions.
GPUOCC_SHIM_DEVICE double fabs(double x) { return __builtin_fabs(x); }
GPUOCC_SHIM_DEVICE double fma(double x, double y, double z) {
  return __builtin_fma(x, y, z);
}
GPUOCC_SHIM_DEVICE double fmin(double x, double y) {
  return __builtin_fmin(x, y);
}
GPUOCC_SHIM_DEVICE double fmax(double x, double y) {
  return __builtin_fmax(x, y);
}
__attribute__((host)) GPUOCC_SHIM_DEVICE double min(double x, double y) {
  return __builtin_fmin(x, y);
}
__attribute__((host)) GPUOCC_SHIM_DEVICE double max(double x, double y) {
  return __builtin_fmax(x, y);
}
GPUOCC_SHIM_DEVICE double floor(double x) { return __builtin_floor(x); }
GPUOCC_SHIM_DEVICE double ceil(double x) { return __builtin_ceil(x); }
GPUOCC_SHIM_DEVICE double trunc(double x) { return __builtin_trunc(x); }
GPUOCC_SHIM_DEVICE double rint(double x) { return __builtin_rint(x); }
GPUOCC_SHIM_DEVICE double round(double x) {
  return __builtin_trunc(x + __builtin_copysign(0.5, x));
}
GPUOCC_SHIM_DEVICE double copysign(double x, double y) {
  return __builtin_copysign(x, y);
}
GPUOCC_SHIM_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
GPUOCC_SHIM_DEVICE double rsqrt(double x) { return __nvvm_rsqrt_approx_d(x); }

// e^x = 2^k e^r with k = round(x log2 e) and |r| <= ln(2) / 2.
GPUOCC_SHIM_DEVICE double exp(double x) {
  double k = __builtin_rint(x * 1.4426950408889634);
  double r = __builtin_fma(k, -0.6931471805599453, x);
  double p = 1.0 / 39916800;
  p = __builtin_fma(p, r, 1.0 / 3628800);
  p = __builtin_fma(p, r, 1.0 / 362880);
  p = __builtin_fma(p, r, 1.0 / 40320);
  p = __builtin_fma(p, r, 1.0 / 5040);
  p = __builtin_fma(p, r, 1.0 / 720);
  p = __builtin_fma(p, r, 1.0 / 120);
  p = __builtin_fma(p, r, 1.0 / 24);
  p = __builtin_fma(p, r, 1.0 / 6);
  p = __builtin_fma(p, r, 0.5);
  p = __builtin_fma(p, r, 1.0);
  p = __builtin_fma(p, r, 1.0);
  long long scale = (static_cast<long long>(k) + 1023) << 52;
  return p * __longlong_as_double(scale);
}

// ln x = e ln 2 + 2 artanh(s) with x = 2^e m, m in [0.7, 1.4] and
// s = (m - 1) / (m + 1).
GPUOCC_SHIM_DEVICE double log(double x) {
  long long bits = __double_as_longlong(x);
  long long exponent = (bits - 0x3fe6a09e667f3bcd) & 0xfff0000000000000;
  double m = __longlong_as_double(bits - exponent);
  double e = static_cast<double>(exponent >> 52);
  double s = __nvvm_div_rn_d(m - 1.0, m + 1.0);
  double q = s * s;
  double p = 2.0 / 15;
  p = __builtin_fma(p, q, 2.0 / 13);
  p = __builtin_fma(p, q, 2.0 / 11);
  p = __builtin_fma(p, q, 2.0 / 9);
  p = __builtin_fma(p, q, 2.0 / 7);
  p = __builtin_fma(p, q, 2.0 / 5);
  p = __builtin_fma(p, q, 2.0 / 3);
  p = __builtin_fma(p * q, s, 2.0 * s);
  return __builtin_fma(e, 0.6931471805599453, p);
}
GPUOCC_SHIM_DEVICE double log2(double x) { return log(x) * 1.4426950408889634; }
GPUOCC_SHIM_DEVICE double log10(double x) {
  return log(x) * 0.4342944819032518;
}
GPUOCC_SHIM_DEVICE double log1p(double x) { return log(1.0 + x); }
GPUOCC_SHIM_DEVICE double exp2(double x) { return exp(x * 0.6931471805599453); }
GPUOCC_SHIM_DEVICE double expm1(double x) { return exp(x) - 1.0; }
GPUOCC_SHIM_DEVICE double pow(double x, double y) {
  return exp(y * log(__builtin_fabs(x)));
}
GPUOCC_SHIM_DEVICE double hypot(double x, double y) {
  return __nvvm_sqrt_rn_d(__builtin_fma(x, x, y * y));
}
GPUOCC_SHIM_DEVICE double tanh(double x) {
  return 1.0 - 2.0 * __nvvm_rcp_rn_d(exp(2.0 * x) + 1.0);
}
GPUOCC_SHIM_DEVICE double fmod(double x, double y) {
  return __builtin_fma(-__builtin_trunc(__nvvm_div_rn_d(x, y)), y, x);
}

// The argument less its quarter turns, of which the number chooses between the
// polynomials of sine and cosine, and the sign.
GPUOCC_SHIM_DEVICE double gpuoccShimSine(double x, int quarters) {
  double k = __builtin_rint(x * 0.6366197723675814); // 2 / pi
  double r = __builtin_fma(k, -1.5707963267948966, x);
  quarters += static_cast<int>(k);
  double s = r * r;
  bool isCosine = quarters & 1;
  double p = isCosine ? 1.0 / 479001600 : -1.0 / 39916800;
  p = __builtin_fma(p, s, isCosine ? -1.0 / 3628800 : 1.0 / 362880);
  p = __builtin_fma(p, s, isCosine ? 1.0 / 40320 : -1.0 / 5040);
  p = __builtin_fma(p, s, isCosine ? -1.0 / 720 : 1.0 / 120);
  p = __builtin_fma(p, s, isCosine ? 1.0 / 24 : -1.0 / 6);
  p = isCosine ? __builtin_fma(p, s, -0.5) : p;
  double y = isCosine ? __builtin_fma(p, s, 1.0) : __builtin_fma(p * s, r, r);
  return quarters & 2 ? -y : y;
}
GPUOCC_SHIM_DEVICE double sin(double x) { return gpuoccShimSine(x, 0); }
GPUOCC_SHIM_DEVICE double cos(double x) { return gpuoccShimSine(x, 1); }
GPUOCC_SHIM_DEVICE void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
GPUOCC_SHIM_DEVICE double tan(double x) {
  return __nvvm_div_rn_d(sin(x), cos(x));
}
GPUOCC_SHIM_DEVICE double sinh(double x) {
  double e = exp(x);
  return 0.5 * (e - __nvvm_rcp_rn_d(e));
}
GPUOCC_SHIM_DEVICE double cosh(double x) {
  double e = exp(x);
  return 0.5 * (e + __nvvm_rcp_rn_d(e));
}

// Of 1 / (1 + x^2), integrated, after one halving of the angle.
GPUOCC_SHIM_DEVICE double atan(double x) {
  double a = __builtin_fabs(x);
  double r = a > 1.0 ? __nvvm_rcp_rn_d(a) : a;
  r = __nvvm_div_rn_d(r, 1.0 + __nvvm_sqrt_rn_d(__builtin_fma(r, r, 1.0)));
  double s = r * r;
  double p = 1.0 / 17;
  p = __builtin_fma(p, s, -1.0 / 15);
  p = __builtin_fma(p, s, 1.0 / 13);
  p = __builtin_fma(p, s, -1.0 / 11);
  p = __builtin_fma(p, s, 1.0 / 9);
  p = __builtin_fma(p, s, -1.0 / 7);
  p = __builtin_fma(p, s, 1.0 / 5);
  p = __builtin_fma(p, s, -1.0 / 3);
  double y = 2.0 * __builtin_fma(p * s, r, r);
  return __builtin_copysign(a > 1.0 ? 1.5707963267948966 - y : y, x);
}
GPUOCC_SHIM_DEVICE double atan2(double y, double x) {
  double a = atan(__nvvm_div_rn_d(y, x));
  return x < 0.0 ? a + __builtin_copysign(3.1415926535897931, y) : a;
}
GPUOCC_SHIM_DEVICE double asin(double x) {
  return atan2(x, __nvvm_sqrt_rn_d(__builtin_fma(-x, x, 1.0)));
}
GPUOCC_SHIM_DEVICE double acos(double x) {
  return 1.5707963267948966 - asin(x);
}

// Abramowitz and Stegun, 7.1.26: an error under 1.5e-7.
GPUOCC_SHIM_DEVICE double erf(double x) {
  double a = __builtin_fabs(x);
  double t = __nvvm_rcp_rn_d(__builtin_fma(a, 0.3275911, 1.0));
  double p = __builtin_fma(t, 1.061405429, -1.453152027);
  p = __builtin_fma(p, t, 1.421413741);
  p = __builtin_fma(p, t, -0.284496736);
  p = __builtin_fma(p, t, 0.254829592);
  return __builtin_copysign(__builtin_fma(-p * t, exp(-a * a), 1.0), x);
}
GPUOCC_SHIM_DEVICE double erfc(double x) { return 1.0 - erf(x); }

#undef GPUOCC_SHIM_DEVICE

#endif // GPUOCC_CUDA_SHIM_DOUBLE_H
