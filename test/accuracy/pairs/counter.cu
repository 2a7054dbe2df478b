//===- counter.cu - One counter for all threads ----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts values: an atomic a thread on one address, and one a block.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(int *counts, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(counts, int(in[i] * 8));
}

__global__ void fixed(int *counts, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = __reduce_add_sync(0xffffffffu, int(in[i] * 8));
  if (threadIdx.x % 32 == 0)
    atomicAdd(counts, value);
}

int main() {
  int size = 1 << 24;
  DeviceArray<float> in(noise(size));
  DeviceArray<int> naiveCount(std::vector<int>(1)),
      fixedCount(std::vector<int>(1));
  Pair pair("counter");
  while (pair.next("naive"))
    naive<<<size / 256, 256>>>(naiveCount, in);
  while (pair.next("fixed"))
    fixed<<<size / 256, 256>>>(fixedCount, in);
  return compare(naiveCount.toHost(), fixedCount.toHost());
}
