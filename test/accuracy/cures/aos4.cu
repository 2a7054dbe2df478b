//===- aos4.cu - AoS read as float4 ----------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Q {
  float x, y, z, w;
};
__global__ void slow(const Q *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = a[i].x + a[i].y + a[i].z + a[i].w;
}
__global__ void fast(const Q *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 v = ((const float4 *)a)[i];
  b[i] = v.x + v.y + v.z + v.w;
}
int main() {
  const int n = 1 << 22;
  Q *a = zeros<Q>(n);
  float *b = zeros<float>(n);
  timeLaunches("aos4,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("aos4,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
