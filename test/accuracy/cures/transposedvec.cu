//===- transposedvec.cu - A kernel with one finding ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread for a long column; cure: blocks share the rows.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *m, const float *x, float *y, int rows,
                     int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int r = 0; r < rows; r++)
    sum += m[r * cols + c] * x[r];
  y[c] = sum;
}
__global__ void fast(const float *m, const float *x, float *y, int rows,
                     int cols) {
  __shared__ float part[32][33];
  int c = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int r = threadIdx.y; r < rows; r += 32)
    sum += m[r * cols + c] * x[r];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int k = 1; k < 32; k++)
      sum += part[k][threadIdx.x];
    y[c] = sum;
  }
}
int main() {
  const int rows = 8192, cols = 2048;
  float *m = numbers<float>(rows * cols), *x = numbers<float>(rows),
        *y = numbers<float>(cols);
  timeLaunches("transposedvec,slow", beginClean,
               [&] { slow<<<cols / 256, 256>>>(m, x, y, rows, cols); });
  timeLaunches("transposedvec,fast", beginClean,
               [&] { fast<<<cols / 32, dim3(32, 32)>>>(m, x, y, rows, cols); });
}
