//===- mmxy.cu - exchange that parts others --------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *c, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < w; k++)
    s += a[x * w + k] * c[y * w + k];
  b[x * w + y] = s;
}
__global__ void fast(const float *a, const float *c, float *b, int w) {
  int y = blockIdx.x * blockDim.x + threadIdx.x,
      x = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < w; k++)
    s += a[x * w + k] * c[y * w + k];
  b[x * w + y] = s;
}
int main() {
  const int w = 1024;
  float *a = zeros<float>(w * w), *b = zeros<float>(w * w),
        *c = zeros<float>(w * w);
  timeLaunches("mmxy,slow", beginClean, [&] {
    slow<<<dim3(w / 16, w / 16), dim3(16, 16)>>>(a, c, b, w);
  });
  timeLaunches("mmxy,fast", beginClean, [&] {
    fast<<<dim3(w / 16, w / 16), dim3(16, 16)>>>(a, c, b, w);
  });
}
