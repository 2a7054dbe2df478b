//===- blendhalf.cu - two halves at once in a blend of layers --*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
#include <cuda_fp16.h>

__global__ void slow(const __half *a, const __half *b, __half *c, int layers,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half v = a[i], w = b[i];
  for (int k = 0; k < layers; k++)
    v = __hadd(__hmul(v, w), __hsub(w, v));
  c[i] = v;
}
__global__ void fast(const __half2 *a, const __half2 *b, __half2 *c, int layers,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 v = a[i], w = b[i];
  for (int k = 0; k < layers; k++)
    v = __hadd2(__hmul2(v, w), __hsub2(w, v));
  c[i] = v;
}
int main() {
  const int n = 1 << 22;
  __half *a = numbers<__half>(n), *b = numbers<__half>(n),
         *c = numbers<__half>(n);
  timeLaunches("blendhalf,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, c, 96, n); });
  timeLaunches("blendhalf,fast", beginClean, [&] {
    fast<<<n / 512, 256>>>((__half2 *)a, (__half2 *)b, (__half2 *)c, 96, n);
  });
}
