//===- table.cu - A large table per small block ----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table of 36 KiB in shared memory that blocks of 64 threads use: 12 warps
// fit on an SM. The mended kernel has blocks of 256 threads.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

constexpr int Entries = 9216;

template <int Threads>
__device__ void lookUp(float *out, const float *in, const float *table,
                       int rounds) {
  __shared__ float mine[Entries];
  for (int e = threadIdx.x; e < Entries; e += Threads)
    mine[e] = table[e];
  __syncthreads();
  int threads = gridDim.x * Threads;
  int i = blockIdx.x * Threads + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < rounds; ++k) {
    float x = in[(long)k * threads + i];
    out[(long)k * threads + i] = x * mine[(threadIdx.x + k * 32) % Entries];
  }
}

__global__ void naive(float *out, const float *in, const float *table,
                      int rounds) {
  lookUp<64>(out, in, table, rounds);
}

__global__ void fixed(float *out, const float *in, const float *table,
                      int rounds) {
  lookUp<256>(out, in, table, rounds);
}

int main() {
  int naiveBlocks = 132 * 6, fixedBlocks = 132 * 6;
  int naiveRounds = 2048, fixedRounds = 512;
  std::size_t size = std::size_t(naiveBlocks) * 64 * naiveRounds;
  DeviceArray<float> in(noise(size)), out(size), table(noise(Entries));
  Pair pair("table");
  while (pair.next("naive"))
    naive<<<naiveBlocks, 64>>>(out, in, table, naiveRounds);
  while (pair.next("fixed"))
    fixed<<<fixedBlocks, 256>>>(out, in, table, fixedRounds);
  return 0;
}
