//===- quaternion.cu - a vector load in place of four words ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Quaternion {
  float x, y, z, w;
};
__global__ void slow(const Quaternion *q, float *b, int each, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < each; k++) {
    const Quaternion *p = q + i * each + k;
    sum += p->x * p->x + p->y * p->y + p->z * p->z + p->w * p->w;
  }
  b[i] = sum;
}
__global__ void fast(const float4 *q, float *b, int each, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < each; k++) {
    float4 v = q[i * each + k];
    sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  b[i] = sum;
}
int main() {
  const int n = 1 << 20, each = 4;
  float *q = numbers<float>(16 * n), *b = numbers<float>(n);
  timeLaunches("quaternion,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>((Quaternion *)q, b, each, n); });
  timeLaunches("quaternion,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>((float4 *)q, b, each, n); });
}
