//===- neighbors.cu - four words a neighbor in place of three --*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float3 *p, const int *near, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float3 me = p[i];
  float e = 0;
  for (int k = 0; k < 32; k++) {
    float3 o = p[near[k * n + i]];
    float x = o.x - me.x, y = o.y - me.y, z = o.z - me.z;
    e += 1 / (x * x + y * y + z * z + 0.01f);
  }
  b[i] = e;
}
__global__ void fast(const float4 *p, const int *near, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float e = 0;
  for (int k = 0; k < 32; k++) {
    float4 o = p[near[k * n + i]];
    float x = o.x - me.x, y = o.y - me.y, z = o.z - me.z;
    e += 1 / (x * x + y * y + z * z + 0.01f);
  }
  b[i] = e;
}
__global__ void choose(int *near, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  near[i] = ((x ^ x >> 15) * 2246822519u >> 5) % n;
}
int main() {
  const int n = 1 << 18;
  float4 *p = numbers<float4>(n);
  float *b = numbers<float>(n);
  int *near = zeros<int>(32 * n);
  choose<<<32 * n / 256, 256>>>(near, n);
  timeLaunches("neighbors,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>((float3 *)p, near, b, n); });
  timeLaunches("neighbors,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(p, near, b, n); });
}
