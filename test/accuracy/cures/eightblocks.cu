//===- eightblocks.cu - more blocks for rows of a small batch --*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const float *scale, float *y, int cols) {
  const float *row = x + (size_t)blockIdx.x * cols;
  float s = scale[blockIdx.x];
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    y[(size_t)blockIdx.x * cols + c] = row[c] * s;
}
__global__ void fast(const float *x, const float *scale, float *y, int cols) {
  const float *row = x + (size_t)blockIdx.x * cols;
  float s = scale[blockIdx.x];
  int c = blockIdx.y * blockDim.x + threadIdx.x;
  if (c < cols)
    y[(size_t)blockIdx.x * cols + c] = row[c] * s;
}
__global__ void turns(const float *x, const float *scale, float *y, int cols) {
  const float *row = x + (size_t)blockIdx.x * cols;
  float s = scale[blockIdx.x];
  for (int c = blockIdx.y * blockDim.x + threadIdx.x; c < cols;
       c += gridDim.y * blockDim.x)
    y[(size_t)blockIdx.x * cols + c] = row[c] * s;
}
int main() {
  const int rows = 8, cols = 1 << 19;
  float *x = numbers<float>((size_t)rows * cols), *s = numbers<float>(rows);
  float *y = numbers<float>((size_t)rows * cols);
  timeLaunches("eightblocks,slow", beginClean,
               [&] { slow<<<rows, 512>>>(x, s, y, cols); });
  timeLaunches("eightblocks,fast", beginClean,
               [&] { fast<<<dim3(rows, cols / 512), 512>>>(x, s, y, cols); });
  timeLaunches("eightblocks,turns", beginClean,
               [&] { turns<<<dim3(rows, 66), 512>>>(x, s, y, cols); });
}
