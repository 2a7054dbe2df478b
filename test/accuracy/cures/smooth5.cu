//===- smooth5.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A mean of 5 by 5 pixels, a thread a pixel; cure: four rows a thread.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 2;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 2;
  if (x >= w - 2 || y >= h - 2)
    return;
  float sum = 0;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++)
      sum += a[(y + dy) * w + x + dx];
  b[y * w + x] = sum / 25;
}
__global__ void fast(const float *a, float *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 2;
  int y = (blockIdx.y * blockDim.y + threadIdx.y) * 4 + 2;
  if (x >= w - 2 || y + 3 >= h - 2)
    return;
  float row[8];
#pragma unroll
  for (int k = 0; k < 8; k++) {
    const float *p = a + (y + k - 2) * w + x;
    row[k] = p[-2] + p[-1] + p[0] + p[1] + p[2];
  }
#pragma unroll
  for (int q = 0; q < 4; q++)
    b[(y + q) * w + x] =
        (row[q] + row[q + 1] + row[q + 2] + row[q + 3] + row[q + 4]) * 0.04f;
}
int main() {
  const int w = 4096, h = 4096;
  float *a = numbers<float>(w * h), *b = numbers<float>(w * h);
  dim3 block(32, 8);
  timeLaunches("smooth5,slow", beginClean,
               [&] { slow<<<dim3(w / 32, h / 8), block>>>(a, b, w, h); });
  timeLaunches("smooth5,fast", beginClean,
               [&] { fast<<<dim3(w / 32, h / 32), block>>>(a, b, w, h); });
}
