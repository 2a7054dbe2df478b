//===- warpshortrow.cu - A kernel with one finding ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A sparse matrix of four numbers a row times a vector, a warp for a row;
/// cure: a thread for a row.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *begin, const int *column, const float *value,
                     const float *x, float *y, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = begin[row] + lane; k < begin[row + 1]; k += 32)
    sum += value[k] * x[column[k]];
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0)
    y[row] = sum;
}
__global__ void fast(const int *begin, const int *column, const float *value,
                     const float *x, float *y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; k++)
    sum += value[k] * x[column[k]];
  y[row] = sum;
}
__global__ void fill(int *begin, int *column, int rows, int each) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= rows)
    begin[i] = i * each;
  if (i < rows)
    for (int k = 0; k < each; k++)
      column[i * each + k] = (i + (k - 2) * 37 + rows) % rows;
}
int main() {
  const int rows = 1 << 20, each = 4;
  int *begin = zeros<int>(rows + 1), *column = zeros<int>(rows * each);
  float *value = numbers<float>(rows * each), *x = numbers<float>(rows),
        *y = numbers<float>(rows);
  fill<<<rows / 256 + 1, 256>>>(begin, column, rows, each);
  timeLaunches("warpshortrow,slow", beginClean, [&] {
    slow<<<rows / 8, 256>>>(begin, column, value, x, y, rows);
  });
  timeLaunches("warpshortrow,fast", beginClean, [&] {
    fast<<<rows / 256, 256>>>(begin, column, value, x, y, rows);
  });
}
