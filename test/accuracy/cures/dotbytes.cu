//===- dotbytes.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Products of bytes one by one; cure: four by __dp4a.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const signed char *m, const signed char *x, int *y,
                     int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
  int sum = 0;
  for (int c = l; c < cols; c += 32)
    sum += m[row * cols + c] * x[c];
  for (int o = 16; o; o /= 2)
    sum += __shfl_down_sync(~0u, sum, o);
  if (l == 0)
    y[row] = sum;
}
__global__ void fast(const int *m, const int *x, int *y, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
  int sum = 0;
  for (int c = l; c < cols / 4; c += 32)
    sum = __dp4a(m[row * (cols / 4) + c], x[c], sum);
  for (int o = 16; o; o /= 2)
    sum += __shfl_down_sync(~0u, sum, o);
  if (l == 0)
    y[row] = sum;
}
int main() {
  const int rows = 16384, cols = 4096;
  signed char *m = zeros<signed char>(rows * cols),
              *x = zeros<signed char>(cols);
  int *y = zeros<int>(rows);
  timeLaunches("dotbytes,slow", beginClean,
               [&] { slow<<<rows / 8, 256>>>(m, x, y, cols); });
  timeLaunches("dotbytes,fast", beginClean,
               [&] { fast<<<rows / 8, 256>>>((int *)m, (int *)x, y, cols); });
}
