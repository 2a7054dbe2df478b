//===- xymixed.cu - exchange that mends two of three -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const double *a, const float *c, double *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  b[x * w + y] = a[x * w + y] * c[y * w + x];
}
__global__ void fast(const double *a, const float *c, double *b, int w) {
  int y = blockIdx.x * blockDim.x + threadIdx.x,
      x = blockIdx.y * blockDim.y + threadIdx.y;
  b[x * w + y] = a[x * w + y] * c[y * w + x];
}
int main() {
  const int w = 4096;
  double *a = zeros<double>(w * w), *b = zeros<double>(w * w);
  float *c = zeros<float>(w * w);
  timeLaunches("xymixed,slow", beginClean,
               [&] { slow<<<dim3(w / 32, w / 8), dim3(32, 8)>>>(a, c, b, w); });
  timeLaunches("xymixed,fast", beginClean,
               [&] { fast<<<dim3(w / 32, w / 8), dim3(32, 8)>>>(a, c, b, w); });
}
