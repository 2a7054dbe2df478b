//===- histogram.cu - Atomics of the chip, and of the block ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A histogram of 64 bins: every thread adds to global memory. The mended kernel
// counts in shared memory and adds up once a block.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(int *bins, const int *in, int perThread) {
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < perThread; ++k)
    atomicAdd(bins + (in[(long)k * threads + i] & 63), 1);
}

__global__ void fixed(int *bins, const int *in, int perThread) {
  __shared__ int mine[64];
  int threads = gridDim.x * blockDim.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 64)
    mine[threadIdx.x] = 0;
  __syncthreads();
#pragma unroll 1
  for (int k = 0; k < perThread; ++k)
    atomicAdd(mine + (in[(long)k * threads + i] & 63), 1);
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(bins + threadIdx.x, mine[threadIdx.x]);
}

int main() {
  int perThread = 16, size = 1 << 24;
  std::vector<int> values(size);
  unsigned state = 1;
  for (int &v : values) {
    state = state * 1664525u + 1013904223u;
    v = int(state >> 8);
  }
  DeviceArray<int> in(values);
  DeviceArray<int> naiveBins(std::vector<int>(64)),
      fixedBins(std::vector<int>(64));
  Pair pair("histogram");
  while (pair.next("naive"))
    naive<<<size / perThread / 256, 256>>>(naiveBins, in, perThread);
  while (pair.next("fixed"))
    fixed<<<size / perThread / 256, 256>>>(fixedBins, in, perThread);
  return compare(naiveBins.toHost(), fixedBins.toHost());
}
