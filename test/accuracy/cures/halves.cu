//===- halves.cu - half2 ---------------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
#include <cuda_fp16.h>
__global__ void slow(const __half *a, __half *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = __hadd(a[i], __float2half(1.0f));
}
__global__ void fast(const __half2 *a, __half2 *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = __hadd2(a[i], __float2half2_rn(1.0f));
}
int main() {
  const int n = 1 << 25;
  __half *a = zeros<__half>(n), *b = zeros<__half>(n);
  timeLaunches("halves,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b); });
  timeLaunches("halves,fast", beginClean, [&] {
    fast<<<n / 512, 256>>>((const __half2 *)a, (__half2 *)b);
  });
}
