//===- fewrows.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The means of ten rows, a warp for each; cure: a block for each, four loads
/// under way.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *dst, const float *src, int cols) {
  int row = blockIdx.x;
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    s += src[row * cols + c];
  for (int d = 16; d; d /= 2)
    s += __shfl_xor_sync(~0u, s, d);
  if (threadIdx.x == 0)
    dst[row] = s / cols;
}
__global__ void fast(float *dst, const float *src, int cols) {
  __shared__ float part[16];
  int row = blockIdx.x, c = threadIdx.x;
  float a[4] = {0, 0, 0, 0};
  for (; c + 3 * (int)blockDim.x < cols; c += 4 * blockDim.x) {
    float v[4];
    for (int j = 0; j < 4; j++)
      v[j] = src[row * cols + c + j * blockDim.x];
    for (int j = 0; j < 4; j++)
      a[j] += v[j];
  }
  for (; c < cols; c += blockDim.x)
    a[0] += src[row * cols + c];
  float s = a[0] + a[1] + a[2] + a[3];
  for (int d = 16; d; d /= 2)
    s += __shfl_xor_sync(~0u, s, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x < 32) {
    s = threadIdx.x < 16 ? part[threadIdx.x] : 0;
    for (int d = 16; d; d /= 2)
      s += __shfl_xor_sync(~0u, s, d);
    if (threadIdx.x == 0)
      dst[row] = s / cols;
  }
}
int main() {
  const int rows = 10, cols = 8192;
  float *s = numbers<float>(rows * cols), *d = numbers<float>(rows);
  timeLaunches("fewrows,slow", beginClean,
               [&] { slow<<<rows, 32>>>(d, s, cols); });
  timeLaunches("fewrows,fast", beginClean,
               [&] { fast<<<rows, 512>>>(d, s, cols); });
}
