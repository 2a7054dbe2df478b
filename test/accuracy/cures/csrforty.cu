//===- csrforty.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A sparse matrix of 40 numbers a row times a vector, a thread for a row;
/// cure: 16 lanes for a row.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(double *y, const int *begin, const int *col,
                     const double *val, const double *x, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  double s = 0;
  for (int k = begin[r]; k < begin[r + 1]; k++)
    s += val[k] * x[col[k]];
  y[r] = s;
}
__global__ void fast(double *y, const int *begin, const int *col,
                     const double *val, const double *x, int rows) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 16, lane = threadIdx.x % 16;
  if (r >= rows)
    return;
  double s = 0;
  for (int k = begin[r] + lane; k < begin[r + 1]; k += 16)
    s += val[k] * x[col[k]];
  for (int d = 8; d; d /= 2)
    s += __shfl_xor_sync(~0u, s, d, 16);
  if (lane == 0)
    y[r] = s;
}
__global__ void fill(int *begin, int *col, int rows, int per) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = unsigned(i) * 2654435761u;
  if (i >= rows * per)
    return;
  int at = i / per + int((s ^ s >> 15) >> 20) - 2048;
  col[i] = min(max(at, 0), rows - 1);
  if (i % per == 0)
    begin[i / per + 1] = i + per;
}
int main() {
  const int rows = 200000, per = 40;
  int *b = zeros<int>(rows + 1), *c = zeros<int>(rows * per);
  double *v = numbers<double>(rows * per), *x = numbers<double>(rows);
  double *y = numbers<double>(rows);
  fill<<<rows * per / 256, 256>>>(b, c, rows, per);
  timeLaunches("csrforty,slow", beginClean,
               [&] { slow<<<(rows + 255) / 256, 256>>>(y, b, c, v, x, rows); });
  timeLaunches("csrforty,fast", beginClean,
               [&] { fast<<<rows / 16, 256>>>(y, b, c, v, x, rows); });
}
