//===- permute4.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Dimensions are exchanged by 64-bit divisions; cure: 32-bit ones.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Dims {
  long long in[4], out[4];
};
__global__ void slow(float *dst, const float *src, Dims d, int rank,
                     long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  long long rest = i, from = 0;
  for (int k = 0; k < rank; k++) {
    long long q = rest / d.out[k];
    rest -= q * d.out[k];
    from += q * d.in[k];
  }
  dst[i] = src[from];
}
struct ShortDims {
  int in[4], out[4];
};
__global__ void fast(float *dst, const float *src, ShortDims d, int rank,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int rest = i, from = 0;
  for (int k = 0; k < rank; k++) {
    int q = (unsigned)rest / (unsigned)d.out[k];
    rest -= q * d.out[k];
    from += q * d.in[k];
  }
  dst[i] = src[from];
}
int main() {
  const int n = 64 * 12 * 128 * 64;
  float *s = numbers<float>(n), *t = numbers<float>(n);
  Dims d = {{12 * 128 * 64, 64, 12 * 64, 1}, {128 * 12 * 64, 128 * 64, 64, 1}};
  ShortDims e = {{12 * 128 * 64, 64, 12 * 64, 1},
                 {128 * 12 * 64, 128 * 64, 64, 1}};
  timeLaunches("permute4,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(t, s, d, 4, n); });
  timeLaunches("permute4,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(t, s, e, 4, n); });
}
