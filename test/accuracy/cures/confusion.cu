//===- confusion.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pairs of true and guessed classes are counted in global memory; cure: in
/// shared memory first.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *truth, const int *guess, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&count[truth[i] * 10 + guess[i]], 1);
}
__global__ void fast(const int *truth, const int *guess, int *count, int n) {
  __shared__ int own[100];
  if (threadIdx.x < 100)
    own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&own[truth[i] * 10 + guess[i]], 1);
  __syncthreads();
  if (threadIdx.x < 100)
    atomicAdd(&count[threadIdx.x], own[threadIdx.x]);
}
__global__ void fill(int *truth, int *guess) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  truth[i] = (i * 2654435761u >> 8) % 10;
  guess[i] = (i * 2246822519u >> 8) % 10;
}
int main() {
  const int n = 1 << 21;
  int *truth, *guess, *count;
  cudaMalloc(&truth, n * sizeof(int));
  cudaMalloc(&guess, n * sizeof(int));
  cudaMalloc(&count, 100 * sizeof(int));
  cudaMemset(count, 0, 100 * sizeof(int));
  fill<<<n / 256, 256>>>(truth, guess);
  timeLaunches("confusion,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(truth, guess, count, n); });
  timeLaunches("confusion,fast", beginClean,
               [&] { fast<<<528, 256>>>(truth, guess, count, n); });
}
