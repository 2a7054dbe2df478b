//===- globacc.cu - keep a sum in a register -------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *x, float *y, int rows,
                     int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rows; r++)
    y[c] += a[r * cols + c] * x[r];
}
__global__ void fast(const float *__restrict__ a, const float *__restrict__ x,
                     float *__restrict__ y, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < rows; r++)
    y[c] += a[r * cols + c] * x[r];
}
int main() {
  const int rows = 128, cols = 1 << 17;
  float *a = zeros<float>(rows * cols), *x = zeros<float>(rows),
        *y = zeros<float>(cols);
  timeLaunches("globacc,slow", beginClean,
               [&] { slow<<<cols / 256, 256>>>(a, x, y, rows, cols); });
  timeLaunches("globacc,fast", beginClean,
               [&] { fast<<<cols / 256, 256>>>(a, x, y, rows, cols); });
}
