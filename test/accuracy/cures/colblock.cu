//===- colblock.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The sums of columns, a block for each; cure: a thread for each.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *out, const float *in, int rows, int cols) {
  __shared__ float part[32];
  int col = blockIdx.x;
  float s = 0;
  for (int r = threadIdx.x; r < rows; r += blockDim.x)
    s += in[(size_t)r * cols + col];
  for (int d = 16; d; d /= 2)
    s += __shfl_down_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int d = 16; d; d /= 2)
      s += __shfl_down_sync(~0u, s, d);
    if (threadIdx.x == 0)
      out[col] = s;
  }
}
__global__ void fast(float *out, const float *in, int rows, int cols) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= cols)
    return;
  float s = 0;
  for (int r = 0; r < rows; r++)
    s += in[(size_t)r * cols + col];
  out[col] = s;
}
int main() {
  const int rows = 256, cols = 262144;
  float *in = numbers<float>((size_t)rows * cols), *out = numbers<float>(cols);
  timeLaunches("colblock,slow", beginClean,
               [&] { slow<<<cols, 256>>>(out, in, rows, cols); });
  timeLaunches("colblock,fast", beginClean,
               [&] { fast<<<cols / 256, 256>>>(out, in, rows, cols); });
}
