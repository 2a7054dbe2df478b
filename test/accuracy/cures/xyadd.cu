//===- xyadd.cu - exchange of x and y --------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *c, float *b, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < h - 1 && y > 0 && y < w - 1)
    b[x * w + y] = a[x * w + y - 1] + a[x * w + y + 1] + c[x] * c[h + x];
}
__global__ void fast(const float *a, const float *c, float *b, int h, int w) {
  int y = blockIdx.x * blockDim.x + threadIdx.x,
      x = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < h - 1 && y > 0 && y < w - 1)
    b[x * w + y] = a[x * w + y - 1] + a[x * w + y + 1] + c[x] * c[h + x];
}
int main() {
  const int h = 2048, w = 4096;
  float *a = zeros<float>(h * w), *b = zeros<float>(h * w),
        *c = zeros<float>(2 * h);
  timeLaunches("xyadd,slow", beginClean, [&] {
    slow<<<dim3(h / 32, w / 8), dim3(32, 8)>>>(a, c, b, h, w);
  });
  timeLaunches("xyadd,fast", beginClean, [&] {
    fast<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, c, b, h, w);
  });
}
