//===- ellrow.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A sparse matrix with 16 values a row, stored row by row; cure: column by
/// column, so that lanes read neighbours.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *val, const int *col, const float *x, float *y,
                     int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0;
    for (int k = 0; k < 16; k++)
      sum += val[r * 16 + k] * x[col[r * 16 + k]];
    y[r] = sum;
  }
}
__global__ void fast(const float *val, const int *col, const float *x, float *y,
                     int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0;
    for (int k = 0; k < 16; k++)
      sum += val[k * rows + r] * x[col[k * rows + r]];
    y[r] = sum;
  }
}
__global__ void fill(int *col, int rows, int byColumn) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; k++)
    col[byColumn ? k * rows + r : r * 16 + k] = (r + k * 13) % rows;
}
int main() {
  const int rows = 1 << 20;
  float *v = numbers<float>(16 * rows), *x = numbers<float>(rows),
        *y = numbers<float>(rows);
  int *c = zeros<int>(16 * rows), *d = zeros<int>(16 * rows);
  fill<<<rows / 256, 256>>>(c, rows, 0);
  fill<<<rows / 256, 256>>>(d, rows, 1);
  timeLaunches("ellrow,slow", beginClean,
               [&] { slow<<<rows / 256, 256>>>(v, c, x, y, rows); });
  timeLaunches("ellrow,fast", beginClean,
               [&] { fast<<<rows / 256, 256>>>(v, d, x, y, rows); });
}
