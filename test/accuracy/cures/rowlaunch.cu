//===- rowlaunch.cu - one launch for all rows ------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *g, float *b) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  b[c] = a[c] * g[c];
}
__global__ void two(const float *a, const float *g, float *b) {
  int c = blockIdx.x * 2 * blockDim.x + threadIdx.x;
  float v = a[c] * g[c], w = a[c + blockDim.x] * g[c + blockDim.x];
  b[c] = v;
  b[c + blockDim.x] = w;
}
__global__ void fast(const float *a, const float *g, float *b, int w) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  b[blockIdx.y * w + c] = a[blockIdx.y * w + c] * g[c];
}
int main() {
  const int rows = 512, w = 4096;
  float *a = zeros<float>(rows * w), *g = zeros<float>(w),
        *b = zeros<float>(rows * w);
  timeLaunches("rowlaunch,slow", beginClean, [&] {
    for (int r = 0; r < rows; r++)
      slow<<<w / 256, 256>>>(a + r * w, g, b + r * w);
  });
  timeLaunches("rowlaunch,two", beginClean, [&] {
    for (int r = 0; r < rows; r++)
      two<<<w / 512, 256>>>(a + r * w, g, b + r * w);
  });
  timeLaunches("rowlaunch,slow once", beginClean,
               [&] { slow<<<w / 256, 256>>>(a, g, b); });
  timeLaunches("rowlaunch,two once", beginClean,
               [&] { two<<<w / 512, 256>>>(a, g, b); });
  timeLaunches("rowlaunch,fast", beginClean,
               [&] { fast<<<dim3(w / 256, rows), 256>>>(a, g, b, w); });
}
