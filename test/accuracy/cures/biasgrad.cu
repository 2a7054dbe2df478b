//===- biasgrad.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Gradient of a bias: each element is added to its column; cure: a thread
/// sums 64 rows before it adds.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *dout, float *dbias, int rows, int cols) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * cols)
    atomicAdd(&dbias[i % cols], dout[i]);
}
__global__ void fast(const float *dout, float *dbias, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, from = blockIdx.y * 64;
  float sum = 0;
  for (int r = from; r < from + 64; r++)
    sum += dout[r * cols + c];
  atomicAdd(&dbias[c], sum);
}
int main() {
  const int rows = 8192, cols = 768;
  float *d = numbers<float>(rows * cols), *b = numbers<float>(cols);
  timeLaunches("biasgrad,slow", beginClean,
               [&] { slow<<<rows * cols / 256, 256>>>(d, b, rows, cols); });
  timeLaunches("biasgrad,fast", beginClean, [&] {
    fast<<<dim3(cols / 256, rows / 64), 256>>>(d, b, rows, cols);
  });
}
