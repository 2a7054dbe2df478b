//===- rowpointers.cu - A kernel with one finding -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rows behind pointers; cure: one array.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *const *a, float *const *b, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y > 0 && y < h - 1)
    b[y][x] = 0.25f * (a[y - 1][x] + 2 * a[y][x] + a[y + 1][x]);
}
__global__ void fast(const float *a, float *b, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y > 0 && y < h - 1)
    b[y * w + x] =
        0.25f * (a[(y - 1) * w + x] + 2 * a[y * w + x] + a[(y + 1) * w + x]);
}
__global__ void fill(float **p, float *a, int w) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  p[y] = a + y * w;
}
__global__ void advised(float4 *const *a, float4 *const *b, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y > 0 && y < h - 1) {
    float4 u = a[y - 1][x], v = a[y][x], w = a[y + 1][x];
    b[y][x] = make_float4(
        0.25f * (u.x + 2 * v.x + w.x), 0.25f * (u.y + 2 * v.y + w.y),
        0.25f * (u.z + 2 * v.z + w.z), 0.25f * (u.w + 2 * v.w + w.w));
  }
}
int main() {
  const int w = 4096, h = 4096;
  float *a = numbers<float>(w * h), *b = numbers<float>(w * h);
  float **p = zeros<float *>(h), **q = zeros<float *>(h);
  fill<<<h / 256, 256>>>(p, a, w);
  fill<<<h / 256, 256>>>(q, b, w);
  timeLaunches("rowpointers,slow", beginClean,
               [&] { slow<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(p, q, h); });
  timeLaunches("rowpointers,fast", beginClean,
               [&] { fast<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, b, h, w); });
  timeLaunches("rowpointers,advised", beginClean, [&] {
    advised<<<dim3(w / 128, h / 8), dim3(32, 8)>>>((float4 **)p, (float4 **)q,
                                                   h);
  });
}
