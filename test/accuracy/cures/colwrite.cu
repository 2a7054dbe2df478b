//===- colwrite.cu - order of a decomposed index ---------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
__global__ void slow(const double *a, double *b, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int c = i / rows, r = i % rows;
  b[r * cols + c] = a[r * cols + c] * 2.0;
}
__global__ void fast(const double *a, double *b, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i / cols, c = i % cols;
  b[r * cols + c] = a[r * cols + c] * 2.0;
}
int main() {
  const int rows = 4096, cols = 2048;
  double *a = zeros<double>(rows * cols), *b = zeros<double>(rows * cols);
  timeLaunches("colwrite,slow", beginClean,
               [&] { slow<<<rows * cols / 256, 256>>>(a, b, rows, cols); });
  timeLaunches("colwrite,fast", beginClean,
               [&] { fast<<<rows * cols / 256, 256>>>(a, b, rows, cols); });
}
