//===- pointpoly.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Points in a polygon, a division an edge; cure: an approximate division.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float2 *points, const float2 *corner, int corners,
                     unsigned char *inside, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 p = points[i];
  int in = 0;
  for (int k = 0; k < corners; k++) {
    float2 a = corner[k], b = corner[k + 1];
    float x = (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x;
    in ^= ((a.y > p.y) != (b.y > p.y)) & (p.x < x);
  }
  inside[i] = in;
}
__global__ void fast(const float2 *points, const float2 *corner, int corners,
                     unsigned char *inside, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 p = points[i];
  int in = 0;
  for (int k = 0; k < corners; k++) {
    float2 a = corner[k], b = corner[k + 1];
    float x = __fdividef((b.x - a.x) * (p.y - a.y), b.y - a.y) + a.x;
    in ^= ((a.y > p.y) != (b.y > p.y)) & (p.x < x);
  }
  inside[i] = in;
}
__global__ void fill(float2 *points, float2 *corner, int corners, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    points[i] = make_float2(i % 1009 * 0.002f - 1, i % 733 * 0.0027f - 1);
  if (i <= corners)
    corner[i] = make_float2(cosf(i * 6.2831853f / corners),
                            sinf(i * 6.2831853f / corners));
}
int main() {
  const int n = 1 << 20, corners = 200;
  float2 *p = numbers<float2>(n), *c = numbers<float2>(corners + 1);
  unsigned char *r = zeros<unsigned char>(n);
  fill<<<n / 256, 256>>>(p, c, corners, n);
  timeLaunches("pointpoly,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(p, c, corners, r, n); });
  timeLaunches("pointpoly,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(p, c, corners, r, n); });
}
