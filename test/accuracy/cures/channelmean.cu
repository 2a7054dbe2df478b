//===- channelmean.cu - A kernel with one finding -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread a channel of each picture; cure: a block.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *mean, int size, int n) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= n)
    return;
  float sum = 0;
  for (int k = 0; k < size; k++)
    sum += in[c * size + k];
  mean[c] = sum / size;
}
__global__ void fast(const float *in, float *mean, int size) {
  __shared__ float warps[8];
  float sum = 0;
  for (int k = threadIdx.x; k < size; k += blockDim.x)
    sum += in[blockIdx.x * size + k];
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < 8; w++)
      sum += warps[w];
    mean[blockIdx.x] = sum / size;
  }
}
__global__ void warps(const float *in, float *mean, int size, int n) {
  int c = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (c >= n)
    return;
  float sum = 0;
  for (int k = lane; k < size; k += 32)
    sum += in[c * size + k];
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0)
    mean[c] = sum / size;
}
int main() {
  const int n = 4096, size = 3136;
  float *a = numbers<float>(n * size), *b = numbers<float>(n);
  timeLaunches("channelmean,slow", beginClean,
               [&] { slow<<<n / 128, 128>>>(a, b, size, n); });
  timeLaunches("channelmean,fast", beginClean,
               [&] { fast<<<n, 256>>>(a, b, size); });
  timeLaunches("channelmean,warps", beginClean,
               [&] { warps<<<n / 4, 128>>>(a, b, size, n); });
}
