//===- accglobal.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A sum kept in global memory; cure: in a register.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *x, float *y, int rows,
                     int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  y[r] = 0;
  for (int k = 0; k < n; k++)
    y[r] += a[k * rows + r] * x[k];
}
__global__ void fast(const float *a, const float *x, float *y, int rows,
                     int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++)
    sum += a[k * rows + r] * x[k];
  y[r] = sum;
}
int main() {
  const int rows = 1 << 16, n = 256;
  float *a = numbers<float>(rows * n), *x = numbers<float>(n),
        *y = numbers<float>(rows);
  timeLaunches("accglobal,slow", beginClean,
               [&] { slow<<<rows / 256, 256>>>(a, x, y, rows, n); });
  timeLaunches("accglobal,fast", beginClean,
               [&] { fast<<<rows / 256, 256>>>(a, x, y, rows, n); });
}
