//===- filter33w.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A filter of 33 taps along x; cure: four outputs a thread, whose words come
/// as float4 and stay in registers.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__constant__ float tap[33];

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float sum = 0;
    for (int k = 0; k < 33; k++)
      sum += tap[k] * a[i + k];
    b[i] = sum;
  }
}
__global__ void fast(const float4 *a, float4 *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4)
    return;
  float v[36];
#pragma unroll
  for (int k = 0; k < 9; k++)
    *(float4 *)&v[4 * k] = a[i + k];
  float4 s = make_float4(0, 0, 0, 0);
#pragma unroll
  for (int k = 0; k < 33; k++) {
    s.x += tap[k] * v[k];
    s.y += tap[k] * v[k + 1];
    s.z += tap[k] * v[k + 2];
    s.w += tap[k] * v[k + 3];
  }
  b[i] = s;
}
int main() {
  const int n = 1 << 23;
  float *a = numbers<float>(n + 64), *b = numbers<float>(n);
  timeLaunches("filter33w,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("filter33w,fast", beginClean,
               [&] { fast<<<n / 1024, 256>>>((float4 *)a, (float4 *)b, n); });
}
