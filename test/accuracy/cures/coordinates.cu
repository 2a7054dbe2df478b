//===- coordinates.cu - A kernel with one finding -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each entry adds to its row; cure: the warp combines a row first.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *row, const int *col, const float *val,
                     const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&y[row[i]], val[i] * x[col[i]]);
}
__global__ void fast(const int *row, const int *col, const float *val,
                     const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x % 32;
  int r = row[i];
  float v = val[i] * x[col[i]];
  for (int o = 1; o < 32; o *= 2) {
    int other = __shfl_up_sync(~0u, r, o);
    float w = __shfl_up_sync(~0u, v, o);
    if (l >= o && other == r)
      v += w;
  }
  int next = __shfl_down_sync(~0u, r, 1);
  if (l == 31 || next != r)
    atomicAdd(&y[r], v);
}
__global__ void fill(int *row, int *col, int each, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  row[i] = i / each;
  col[i] = (unsigned)i * 2654435761u % rows;
}
int main() {
  const int rows = 1 << 17, each = 32, n = rows * each;
  int *r = zeros<int>(n), *c = zeros<int>(n);
  float *v = numbers<float>(n), *x = numbers<float>(rows),
        *y = numbers<float>(rows);
  fill<<<n / 256, 256>>>(r, c, each, rows);
  timeLaunches("coordinates,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(r, c, v, x, y, n); });
  timeLaunches("coordinates,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(r, c, v, x, y, n); });
}
