//===- overloads.h - Mathematics by the names of C++ -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of math.h and double.h for arguments of any arithmetic type,
// in the global namespace and in std.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_OVERLOADS_H
#define GPUOCC_CUDA_SHIM_OVERLOADS_H

#define GPUOCC_SHIM_DEVICE                                                     \
  static inline __attribute__((device, always_inline, nodebug))

/// The type in which two of other types are compared.
template <class T, class U> struct gpuoccShimCommon {
  typedef __typeof__(T() + U()) Type;
};
template <class T> struct gpuoccShimCommon<T, T> {};

// Arguments of two types, as in C's own arithmetic, also on the host.
template <class T, class U>
__attribute__((host)) GPUOCC_SHIM_DEVICE typename gpuoccShimCommon<T, U>::Type
min(T x, U y) {
  typedef typename gpuoccShimCommon<T, U>::Type Common;
  return min(static_cast<Common>(x), static_cast<Common>(y));
}
template <class T, class U>
__attribute__((host)) GPUOCC_SHIM_DEVICE typename gpuoccShimCommon<T, U>::Type
max(T x, U y) {
  typedef typename gpuoccShimCommon<T, U>::Type Common;
  return max(static_cast<Common>(x), static_cast<Common>(y));
}

/// A type where T is an integer's.
template <class T, bool = __is_integral(T)> struct gpuoccShimOfInteger {};
template <class T> struct gpuoccShimOfInteger<T, true> {
  typedef double Result;
};

#define GPUOCC_SHIM_UNARY(Name)                                                \
  GPUOCC_SHIM_DEVICE float Name(float x) { return Name##f(x); }                \
  template <class T>                                                           \
  GPUOCC_SHIM_DEVICE typename gpuoccShimOfInteger<T>::Result Name(T x) {       \
    return Name(static_cast<double>(x));                                       \
  }                                                                            \
  namespace std {                                                              \
  using ::Name;                                                                \
  }
#define GPUOCC_SHIM_BINARY(Name)                                               \
  GPUOCC_SHIM_DEVICE float Name(float x, float y) { return Name##f(x, y); }    \
  GPUOCC_SHIM_DEVICE double Name(float x, double y) {                          \
    return Name(static_cast<double>(x), y);                                    \
  }                                                                            \
  GPUOCC_SHIM_DEVICE double Name(double x, float y) {                          \
    return Name(x, static_cast<double>(y));                                    \
  }                                                                            \
  template <class T>                                                           \
  GPUOCC_SHIM_DEVICE typename gpuoccShimOfInteger<T>::Result Name(double x,    \
                                                                  T y) {       \
    return Name(x, static_cast<double>(y));                                    \
  }                                                                            \
  template <class T>                                                           \
  GPUOCC_SHIM_DEVICE typename gpuoccShimOfInteger<T>::Result Name(T x,         \
                                                                  double y) {  \
    return Name(static_cast<double>(x), y);                                    \
  }                                                                            \
  namespace std {                                                              \
  using ::Name;                                                                \
  }

GPUOCC_SHIM_UNARY(fabs)
GPUOCC_SHIM_UNARY(floor)
GPUOCC_SHIM_UNARY(ceil)
GPUOCC_SHIM_UNARY(trunc)
GPUOCC_SHIM_UNARY(rint)
GPUOCC_SHIM_UNARY(round)
GPUOCC_SHIM_UNARY(sqrt)
GPUOCC_SHIM_UNARY(exp)
GPUOCC_SHIM_UNARY(exp2)
GPUOCC_SHIM_UNARY(expm1)
GPUOCC_SHIM_UNARY(log)
GPUOCC_SHIM_UNARY(log2)
GPUOCC_SHIM_UNARY(log10)
GPUOCC_SHIM_UNARY(log1p)
GPUOCC_SHIM_UNARY(sin)
GPUOCC_SHIM_UNARY(cos)
GPUOCC_SHIM_UNARY(tan)
GPUOCC_SHIM_UNARY(tanh)
GPUOCC_SHIM_UNARY(sinh)
GPUOCC_SHIM_UNARY(cosh)
GPUOCC_SHIM_UNARY(asin)
GPUOCC_SHIM_UNARY(acos)
GPUOCC_SHIM_UNARY(atan)
GPUOCC_SHIM_UNARY(erf)
GPUOCC_SHIM_UNARY(erfc)
GPUOCC_SHIM_BINARY(atan2)
GPUOCC_SHIM_BINARY(pow)
GPUOCC_SHIM_BINARY(fmod)
GPUOCC_SHIM_BINARY(hypot)
GPUOCC_SHIM_BINARY(fmin)
GPUOCC_SHIM_BINARY(fmax)

#undef GPUOCC_SHIM_BINARY
#undef GPUOCC_SHIM_UNARY

GPUOCC_SHIM_DEVICE int abs(int x) { return x < 0 ? -x : x; }
GPUOCC_SHIM_DEVICE float abs(float x) { return __builtin_fabsf(x); }
GPUOCC_SHIM_DEVICE double abs(double x) { return __builtin_fabs(x); }
GPUOCC_SHIM_DEVICE bool isnan(float x) { return x != x; }
GPUOCC_SHIM_DEVICE bool isnan(double x) { return x != x; }
GPUOCC_SHIM_DEVICE bool isinf(float x) {
  return __builtin_fabsf(x) == __builtin_inff();
}
GPUOCC_SHIM_DEVICE bool isinf(double x) {
  return __builtin_fabs(x) == __builtin_inf();
}

#undef GPUOCC_SHIM_DEVICE

#endif // GPUOCC_CUDA_SHIM_OVERLOADS_H
