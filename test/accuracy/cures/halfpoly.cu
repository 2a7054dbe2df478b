//===- halfpoly.cu - arithmetic of two halves at once ----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
#include <cuda_fp16.h>

__global__ void slow(const __half *a, __half *b, __half c0, __half c1,
                     int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half x = a[i], v = c0;
  for (int k = 0; k < steps; k++)
    v = __hfma(v, x, c1);
  b[i] = v;
}
__global__ void fast(const __half2 *a, __half2 *b, __half c0, __half c1,
                     int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 x = a[i], v = __half2half2(c0), w = __half2half2(c1);
  for (int k = 0; k < steps; k++)
    v = __hfma2(v, x, w);
  b[i] = v;
}
int main() {
  const int n = 1 << 22;
  __half *a = numbers<__half>(n), *b = numbers<__half>(n);
  timeLaunches("halfpoly,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, 1.5f, 0.5f, 256); });
  timeLaunches("halfpoly,fast", beginClean, [&] {
    fast<<<n / 512, 256>>>((__half2 *)a, (__half2 *)b, 1.5f, 0.5f, 256);
  });
}
