//===- copy4.cu - float4 ---------------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = a[i] * 2.0f;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4)
    return;
  float4 v = ((const float4 *)a)[i];
  v.x *= 2;
  v.y *= 2;
  v.z *= 2;
  v.w *= 2;
  ((float4 *)b)[i] = v;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("copy4,slow", begin, [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("copy4,fast", begin, [&] { fast<<<n / 1024, 256>>>(a, b, n); });
}
