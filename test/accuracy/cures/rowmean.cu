//===- rowmean.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A matrix normalised by its row means in two kernels' worth of one: each
/// thread of a row reads the whole row; cure: a sum of the block.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int cols) {
  int r = blockIdx.x, c = threadIdx.x;
  float mean = 0;
  for (int k = 0; k < cols; k++)
    mean += a[r * cols + k];
  mean /= cols;
  float var = 0;
  for (int k = 0; k < cols; k++)
    var += (a[r * cols + k] - mean) * (a[r * cols + k] - mean);
  var /= cols;
  b[r * cols + c] = (a[r * cols + c] - mean) / sqrtf(var + 1e-5f);
}
__global__ void fast(const float *a, float *b, int cols) {
  __shared__ float part[32], part2[32];
  int r = blockIdx.x, c = threadIdx.x;
  float x = a[r * cols + c], s = x, q = x * x;
  for (int d = 16; d > 0; d /= 2) {
    s += __shfl_xor_sync(~0u, s, d);
    q += __shfl_xor_sync(~0u, q, d);
  }
  if (c % 32 == 0) {
    part[c / 32] = s;
    part2[c / 32] = q;
  }
  __syncthreads();
  s = q = 0;
  for (int k = 0; k < blockDim.x / 32; k++) {
    s += part[k];
    q += part2[k];
  }
  float mean = s / cols, var = q / cols - mean * mean;
  b[r * cols + c] = (x - mean) * rsqrtf(var + 1e-5f);
}
int main() {
  const int rows = 8192, cols = 512;
  float *a = numbers<float>(rows * cols), *b = numbers<float>(rows * cols);
  timeLaunches("rowmean,slow", beginClean,
               [&] { slow<<<rows, cols>>>(a, b, cols); });
  timeLaunches("rowmean,fast", beginClean,
               [&] { fast<<<rows, cols>>>(a, b, cols); });
}
