//===- xy8.cu - exchange of x and y in small rows --------------*- CUDA -*-===//
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
  int y = blockIdx.x * blockDim.x + threadIdx.x,
      x = blockIdx.y * blockDim.y + threadIdx.y;
  b[x * w + y] = a[x * w + y] * 2.0f;
}
int main() {
  const int w = 4096;
  float *a = zeros<float>(w * w), *b = zeros<float>(w * w);
  timeLaunches("xy8,slow", beginClean,
               [&] { slow<<<dim3(w / 8, w / 8), dim3(8, 8)>>>(a, b, w); });
  timeLaunches("xy8,fast", beginClean,
               [&] { fast<<<dim3(w / 8, w / 8), dim3(8, 8)>>>(a, b, w); });
}
