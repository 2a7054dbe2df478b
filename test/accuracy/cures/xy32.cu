//===- xy32.cu - exchange x and y ------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  b[x * w + y] = a[x * w + y] * 2.0f;
}
__global__ void fast(const float *a, float *b, int w) {
  int y = blockIdx.x * blockDim.y + threadIdx.y,
      x = blockIdx.y * blockDim.x + threadIdx.x;
  b[y * w + x] = a[y * w + x] * 2.0f;
}
int main() {
  const int w = 4096;
  float *a = zeros<float>(w * w), *b = zeros<float>(w * w);
  timeLaunches("xy32,slow", beginClean,
               [&] { slow<<<dim3(w / 32, w / 8), dim3(32, 8)>>>(a, b, w); });
  timeLaunches("xy32,fast", beginClean,
               [&] { fast<<<dim3(w / 8, w / 32), dim3(32, 8)>>>(a, b, w); });
}
