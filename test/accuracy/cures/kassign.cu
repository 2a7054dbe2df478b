//===- kassign.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Nearest of 16 centres in 16 dimensions, points row by row, squares by pow;
/// cure: points dimension by dimension, and a product.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *points, const float *centres, int *of,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float least = 1e30f;
  int best = 0;
  for (int c = 0; c < 16; c++) {
    float d = 0;
    for (int k = 0; k < 16; k++)
      d += (points[i * 16 + k] - centres[c * 16 + k]) *
           (points[i * 16 + k] - centres[c * 16 + k]);
    d = sqrtf(d);
    if (d < least) {
      least = d;
      best = c;
    }
  }
  of[i] = best;
}
__global__ void fast(const float *points, const float *centres, int *of,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float own[16];
  for (int k = 0; k < 16; k++)
    own[k] = points[k * n + i];
  float least = 1e30f;
  int best = 0;
  for (int c = 0; c < 16; c++) {
    float d = 0;
    for (int k = 0; k < 16; k++)
      d += (own[k] - centres[c * 16 + k]) * (own[k] - centres[c * 16 + k]);
    if (d < least) {
      least = d;
      best = c;
    }
  }
  of[i] = best;
}
int main() {
  const int n = 1 << 20;
  float *p = numbers<float>(16 * n), *c = numbers<float>(256);
  int *o = zeros<int>(n);
  timeLaunches("kassign,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(p, c, o, n); });
  timeLaunches("kassign,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(p, c, o, n); });
}
