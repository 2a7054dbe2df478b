//===- nearest.cu - the nearest of points that all threads read *- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Vec3 {
  float x, y, z;
};
__global__ void slow(const Vec3 *query, const Vec3 *points, int *best, int m) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  float least = 1e30f;
  for (int j = 0; j < m; j++) {
    float dx = query[q].x - points[j].x;
    float dy = query[q].y - points[j].y;
    float dz = query[q].z - points[j].z;
    float d = sqrt(dx * dx + dy * dy + dz * dz);
    if (d < least) {
      least = d;
      best[q] = j;
    }
  }
}
__global__ void fast(const Vec3 *query, const Vec3 *points, int *best, int m) {
  int q = blockIdx.x * blockDim.x + threadIdx.x;
  float least = 1e30f;
  int at = 0;
  Vec3 o = query[q];
  for (int j = 0; j < m; j++) {
    float dx = o.x - points[j].x;
    float dy = o.y - points[j].y;
    float dz = o.z - points[j].z;
    float d = dx * dx + dy * dy + dz * dz;
    if (d < least) {
      least = d;
      at = j;
    }
  }
  best[q] = at;
}
__global__ void fill(float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  a[i] = ((x ^ x >> 15) * 2246822519u >> 8) * 1e-7f;
}
int main() {
  const int n = 1 << 17, m = 1024;
  Vec3 *q = numbers<Vec3>(n), *p = numbers<Vec3>(m);
  int *b = zeros<int>(n);
  fill<<<3 * n / 256, 256>>>((float *)q);
  fill<<<3 * m / 256, 256>>>((float *)p);
  timeLaunches("nearest,slow", beginClean,
               [&] { slow<<<n / 128, 128>>>(q, p, b, m); });
  timeLaunches("nearest,fast", beginClean,
               [&] { fast<<<n / 128, 128>>>(q, p, b, m); });
}
