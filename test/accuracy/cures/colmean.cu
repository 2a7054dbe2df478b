//===- colmean.cu - columns of a matrix, a block each ----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const double *m, double *mean, int rows, int cols) {
  __shared__ double part[256];
  int col = blockIdx.x;
  double s = 0;
  for (int r = threadIdx.x; r < rows; r += blockDim.x)
    s += m[r * cols + col];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (threadIdx.x < d)
      part[threadIdx.x] += part[threadIdx.x + d];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    mean[col] = part[0] / rows;
}
__global__ void fast(const double *m, double *mean, int rows, int cols) {
  __shared__ double part[8][33];
  int col = blockIdx.x * 32 + threadIdx.x;
  double s = 0;
  for (int r = threadIdx.y; r < rows; r += 8)
    s += m[r * cols + col];
  part[threadIdx.y][threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.y == 0) {
    for (int k = 1; k < 8; k++)
      s += part[k][threadIdx.x];
    mean[col] = s / rows;
  }
}
int main() {
  const int rows = 1024, cols = 8192;
  double *m = numbers<double>(rows * cols), *o = numbers<double>(cols);
  timeLaunches("colmean,slow", beginClean,
               [&] { slow<<<cols, 256>>>(m, o, rows, cols); });
  timeLaunches("colmean,fast", beginClean,
               [&] { fast<<<cols / 32, dim3(32, 8)>>>(m, o, rows, cols); });
}
