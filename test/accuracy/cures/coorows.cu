//===- coorows.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Products of a sparse matrix by coordinates, added to rows by atomics; cure:
/// a warp adds up its row before.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *row, const int *col, const float *v,
                     const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&y[row[i]], v[i] * x[col[i]]);
}
__global__ void fast(const int *row, const int *col, const float *v,
                     const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int lane = threadIdx.x % 32, r = row[i];
  float p = v[i] * x[col[i]];
  for (int d = 1; d < 32; d *= 2) {
    float other = __shfl_down_sync(~0u, p, d);
    int otherRow = __shfl_down_sync(~0u, r, d);
    if (lane + d < 32 && otherRow == r)
      p += other;
  }
  int before = __shfl_up_sync(~0u, r, 1);
  if (lane == 0 || before != r)
    atomicAdd(&y[r], p);
}
__global__ void fill(int *row, int *col, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  row[i] = i / 64;
  col[i] = unsigned(i) * 2654435761u % unsigned(rows);
}
int main() {
  const int n = 1 << 22, rows = n / 64;
  int *r = zeros<int>(n), *c = zeros<int>(n);
  float *v = numbers<float>(n), *x = numbers<float>(rows),
        *y = numbers<float>(rows);
  fill<<<n / 256, 256>>>(r, c, rows);
  timeLaunches("coorows,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(r, c, v, x, y, n); });
  timeLaunches("coorows,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(r, c, v, x, y, n); });
}
