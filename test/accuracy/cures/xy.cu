//===- xy.cu - exchange x and y --------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  b[x * w + y] = a[x * w + y] + 1.0f;
}
__global__ void fast(const float *a, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  b[y * w + x] = a[y * w + x] + 1.0f;
}
int main() {
  const int w = 4096;
  float *a = zeros<float>(w * w), *b = zeros<float>(w * w);
  timeLaunches("xy,slow", begin,
               [&] { slow<<<dim3(w / 16, w / 16), dim3(16, 16)>>>(a, b, w); });
  timeLaunches("xy,fast", begin,
               [&] { fast<<<dim3(w / 16, w / 16), dim3(16, 16)>>>(a, b, w); });
}
