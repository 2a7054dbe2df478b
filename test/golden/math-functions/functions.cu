// One kernel a function: sums of 64 results a thread. 16 blocks of 256 threads.
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <math.h>

#define KERNEL(Name, Type, Result)                                             \
  extern "C" __global__ void Name(const Type *a, const Type *b, Type *c,       \
                                  int n) {                                     \
    int t = blockIdx.x * blockDim.x + threadIdx.x;                             \
    Type sum = 0;                                                              \
    for (int i = 0; i < n; i++) {                                              \
      Type x = a[t + i * 4096], y = b[t + i * 4096];                           \
      sum += Result;                                                           \
    }                                                                          \
    c[t] = sum;                                                                \
  }
#define ONE(Name)                                                              \
  KERNEL(Name##_float, float, Name##f(x) + y)                                  \
  KERNEL(Name##_double, double, Name(x) + y)
#define TWO(Name)                                                              \
  KERNEL(Name##_float, float, Name##f(x, y))                                   \
  KERNEL(Name##_double, double, Name(x, y))

KERNEL(none_float, float, x + y)
KERNEL(none_double, double, x + y)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(exp)
ONE(exp2)
ONE(exp10)
ONE(expm1)
ONE(log)
ONE(log2)
ONE(log10)
ONE(log1p)
ONE(sqrt)
ONE(rsqrt)
ONE(cbrt)
ONE(rcbrt)
ONE(sinh)
ONE(cosh)
ONE(tanh)
ONE(asin)
ONE(acos)
ONE(atan)
ONE(asinh)
ONE(atanh)
ONE(erf)
ONE(erfc)
ONE(erfcx)
ONE(erfinv)
ONE(erfcinv)
ONE(normcdf)
ONE(normcdfinv)
ONE(lgamma)
ONE(tgamma)
ONE(j0)
ONE(y0)
ONE(floor)
ONE(ceil)
ONE(round)
ONE(trunc)
ONE(rint)
ONE(fabs)
ONE(sinpi)
ONE(cospi)

TWO(pow)
TWO(atan2)
TWO(fmod)
TWO(hypot)
TWO(remainder)
TWO(fmax)
TWO(copysign)
TWO(fdim)

KERNEL(div_float, float, x / y)
KERNEL(div_double, double, x / y)
KERNEL(rcp_float, float, 1 / x + y)
KERNEL(rcp_double, double, 1 / x + y)
KERNEL(powc_float, float, powf(x, 2.5f) + y)
KERNEL(powc_double, double, pow(x, 2.5) + y)
