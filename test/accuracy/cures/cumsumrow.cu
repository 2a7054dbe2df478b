//===- cumsumrow.cu - A kernel with one finding -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Running sums of a row by one thread; cure: by a warp.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++) {
    sum += in[r * n + k];
    out[r * n + k] = sum;
  }
}
__global__ void fast(const float *in, float *out, int n) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
  float before = 0;
  for (int k = l; k < n; k += 32) {
    float v = in[r * n + k];
    for (int o = 1; o < 32; o *= 2) {
      float w = __shfl_up_sync(~0u, v, o);
      if (l >= o)
        v += w;
    }
    v += before;
    out[r * n + k] = v;
    before = __shfl_sync(~0u, v, 31);
  }
}
int main() {
  const int rows = 8192, n = 1024;
  float *a = numbers<float>(rows * n), *b = numbers<float>(rows * n);
  timeLaunches("cumsumrow,slow", beginClean,
               [&] { slow<<<rows / 128, 128>>>(a, b, n); });
  timeLaunches("cumsumrow,fast", beginClean,
               [&] { fast<<<rows / 4, 128>>>(a, b, n); });
}
