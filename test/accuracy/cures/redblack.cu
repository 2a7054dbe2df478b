//===- redblack.cu - every other cell of a row, one lane a cell *- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(double *u, const double *f, int nx, int ny, int color) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i >= nx - 1 || j >= ny - 1)
    return;
  if ((i + j) % 2 == color) {
    double v = 0;
    for (int k = 0; k < 24; k++)
      v = sqrt(v * v + f[j * nx + i] + 1.0);
    u[j * nx + i] = v;
  }
}
__global__ void fast(double *u, const double *f, int nx, int ny, int color) {
  int h = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int i = 2 * h + 1 + ((j + 1 + color) & 1);
  if (i >= nx - 1 || j >= ny - 1)
    return;
  double v = 0;
  for (int k = 0; k < 24; k++)
    v = sqrt(v * v + f[j * nx + i] + 1.0);
  u[j * nx + i] = v;
}
int main() {
  const int nx = 2048, ny = 2048;
  double *u = numbers<double>(nx * ny), *f = numbers<double>(nx * ny);
  timeLaunches("redblack,slow", beginClean, [&] {
    slow<<<dim3(nx / 32, ny / 8), dim3(32, 8)>>>(u, f, nx, ny, 0);
  });
  timeLaunches("redblack,fast", beginClean, [&] {
    fast<<<dim3(nx / 64, ny / 8), dim3(32, 8)>>>(u, f, nx, ny, 0);
  });
}
