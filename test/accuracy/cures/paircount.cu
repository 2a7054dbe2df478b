//===- paircount.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts pairs closer than a radius by an atomic for each; cure: a sum of
/// the thread's own, added once.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float4 *p, int *count, int n, float r2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 a = p[i];
  for (int j = 0; j < n; j++) {
    float4 b = p[j];
    float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    if (dx * dx + dy * dy + dz * dz < r2)
      atomicAdd(count, 1);
  }
}
__global__ void fast(const float4 *p, int *count, int n, float r2) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, close = 0;
  float4 a = p[i];
  for (int j = 0; j < n; j++) {
    float4 b = p[j];
    float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    if (dx * dx + dy * dy + dz * dz < r2)
      close++;
  }
  atomicAdd(count, close);
}
__global__ void fill(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  a[i] = ((x ^ x >> 15) * 2246822519u >> 8) * 6e-8f;
}
int main() {
  const int n = 1 << 14;
  float4 *p = numbers<float4>(n);
  int *c = zeros<int>(1);
  fill<<<4 * n / 256, 256>>>((float *)p);
  timeLaunches("paircount,slow", beginClean,
               [&] { slow<<<n / 128, 128>>>(p, c, n, 0.16f); });
  timeLaunches("paircount,fast", beginClean,
               [&] { fast<<<n / 128, 128>>>(p, c, n, 0.16f); });
}
