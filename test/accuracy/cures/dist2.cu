//===- dist2.cu - squares by pow, in double --------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float2 *pts, float *d, float cx, float cy, int n) {
  const int gid = blockDim.x * blockIdx.x + threadIdx.x;
  if (gid >= n)
    return;
  d[gid] = sqrt(pow(pts[gid].x - cx, 2.0) + pow(pts[gid].y - cy, 2.0));
}
__global__ void fast(const float2 *pts, float *d, float cx, float cy, int n) {
  const int gid = blockDim.x * blockIdx.x + threadIdx.x;
  if (gid >= n)
    return;
  float dx = pts[gid].x - cx, dy = pts[gid].y - cy;
  d[gid] = sqrtf(dx * dx + dy * dy);
}
int main() {
  const int n = 1 << 23;
  float2 *p = numbers<float2>(n);
  float *d = numbers<float>(n);
  timeLaunches("dist2,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(p, d, 1, 2, n); });
  timeLaunches("dist2,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(p, d, 1, 2, n); });
}
