//===- spheres.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Members of structures that all threads read; cure: float4.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Sphere {
  float x, y, z, r;
};
__global__ void slow(const Sphere *s, int count, const float *dir, float *depth,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float dx = dir[i], dy = dir[n + i], dz = dir[2 * n + i];
  depth[i] = 1e30f;
  for (int k = 0; k < count; k++) {
    float b = s[k].x * dx + s[k].y * dy + s[k].z * dz;
    float c =
        s[k].x * s[k].x + s[k].y * s[k].y + s[k].z * s[k].z - s[k].r * s[k].r;
    float q = b * b - c;
    if (q > 0)
      depth[i] = fminf(depth[i], b - sqrtf(q));
  }
}
__global__ void fast(const float4 *__restrict__ s, int count,
                     const float *__restrict__ dir, float *__restrict__ depth,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float dx = dir[i], dy = dir[n + i], dz = dir[2 * n + i];
  float best = 1e30f;
  for (int k = 0; k < count; k++) {
    float4 p = s[k];
    float b = p.x * dx + p.y * dy + p.z * dz;
    float c = p.x * p.x + p.y * p.y + p.z * p.z - p.w * p.w;
    float q = b * b - c;
    if (q > 0)
      best = fminf(best, b - sqrtf(q));
  }
  depth[i] = best;
}
int main() {
  const int n = 1 << 20, count = 256;
  float *d = numbers<float>(3 * n), *b = numbers<float>(n);
  Sphere *s = numbers<Sphere>(count);
  timeLaunches("spheres,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(s, count, d, b, n); });
  timeLaunches("spheres,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>((float4 *)s, count, d, b, n); });
}
