//===- words.cu - Counters of the chip, and of a block ---------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts values of every kind that a warp holds: each thread adds one to the
// counter of its lane. The mended kernels count a block in shared memory first;
// that in turns lets the blocks that run at a time do all of the work.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(int *counts, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(counts + threadIdx.x % 32, int(in[i] * 8));
}

__global__ void fixed(int *counts, const float *in) {
  __shared__ int mine[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32)
    mine[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(mine + threadIdx.x % 32, int(in[i] * 8));
  __syncthreads();
  if (threadIdx.x < 32)
    atomicAdd(counts + threadIdx.x, mine[threadIdx.x]);
}

__global__ void turns(int *counts, const float *in, int size) {
  __shared__ int mine[32];
  if (threadIdx.x < 32)
    mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size;
       i += gridDim.x * blockDim.x)
    atomicAdd(mine + threadIdx.x % 32, int(in[i] * 8));
  __syncthreads();
  if (threadIdx.x < 32)
    atomicAdd(counts + threadIdx.x, mine[threadIdx.x]);
}

int main() {
  int size = 1 << 22;
  DeviceArray<float> in(noise(size));
  std::vector<int> zeros(32);
  DeviceArray<int> naiveCount(zeros), fixedCount(zeros), turnsCount(zeros);
  Pair pair("words");
  while (pair.next("naive"))
    naive<<<size / 1024, 1024>>>(naiveCount, in);
  while (pair.next("fixed"))
    fixed<<<size / 1024, 1024>>>(fixedCount, in);
  while (pair.next("turns"))
    turns<<<264, 1024>>>(turnsCount, in, size);
  return compare(naiveCount.toHost(), fixedCount.toHost()) |
         compare(naiveCount.toHost(), turnsCount.toHost());
}
