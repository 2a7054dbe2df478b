//===- probes.cu - Tables with open addressing -----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../breadth-h200/common.h"

__device__ unsigned hashOf(unsigned x) {
  x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  x = (x ^ (x >> 12)) * 0x297a2d39u;
  return x ^ (x >> 15);
}

// A step of its own for each key.
__global__ void twoHashInsert(unsigned long long *table, unsigned capacity,
                              const int *in) {
  unsigned key = in[blockIdx.x * blockDim.x + threadIdx.x] + 1;
  unsigned at = hashOf(key) % capacity, step = 1 + hashOf(~key) % 61;
  unsigned long long item = ((unsigned long long)key << 32) | threadIdx.x;
  while (atomicCAS(table + at, 0ull, item) != 0)
    at = (at + step) % capacity;
}

__global__ void twoHashFind(const unsigned long long *table, unsigned capacity,
                            const int *in, unsigned *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned key = in[i] + 1, found = 0;
  unsigned at = hashOf(key) % capacity, step = 1 + hashOf(~key) % 61;
  for (;;) {
    unsigned long long item = table[at];
    if (item == 0)
      break;
    if ((unsigned)(item >> 32) == key) {
      found = (unsigned)item;
      break;
    }
    at = (at + step) % capacity;
  }
  o[i] = found;
}

// Steps that grow.
__global__ void growingStepInsert(unsigned *keys, unsigned *counts,
                                  unsigned mask, const int *in) {
  unsigned key = in[blockIdx.x * blockDim.x + threadIdx.x] + 1;
  unsigned at = hashOf(key) & mask;
  for (unsigned step = 1;; ++step) {
    unsigned old = atomicCAS(keys + at, 0u, key);
    if (old == 0 || old == key) {
      atomicAdd(counts + at, 1u);
      break;
    }
    at = (at + step) & mask;
  }
}

// Distinct numbers of a block, by a table in shared memory.
__global__ void distinctOfBlock(const int *in, int *o) {
  __shared__ int table[1024];
  __shared__ int count;
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    table[k] = -1;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  int key = in[blockIdx.x * blockDim.x + threadIdx.x];
  unsigned at = hashOf(key) & 1023;
  int old;
  while ((old = atomicCAS(table + at, -1, key)) != -1 && old != key)
    at = (at + 1) & 1023;
  if (old == -1)
    atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    o[blockIdx.x] = count;
}

// Keys of one table that another one has, too.
__global__ void joinCounts(const unsigned *keys, unsigned mask, const int *in,
                           int perThread, int *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, matches = 0;
  for (int k = 0; k < perThread; ++k) {
    unsigned key = in[k * gridDim.x * blockDim.x + i] + 1;
    unsigned at = hashOf(key) & mask;
    while (keys[at] != 0) {
      matches += keys[at] == key;
      at = (at + 1) & mask;
    }
  }
  o[i] = matches;
}

int main() {
  const int n = 1 << 19;
  int *in = numbers(n, 1u << 30), *o = cleared<int>(n);
  unsigned long long *table = cleared<unsigned long long>(1000003);
  unsigned *keys = cleared<unsigned>(1 << 20),
           *counts = cleared<unsigned>(1 << 20);
  twoHashInsert<<<n / 256, 256>>>(table, 1000003, in);
  twoHashFind<<<n / 256, 256>>>(table, 1000003, in, (unsigned *)o);
  growingStepInsert<<<n / 128, 128>>>(keys, counts, (1 << 20) - 1, in);
  distinctOfBlock<<<n / 512, 512>>>(in, o);
  joinCounts<<<n / 4 / 256, 256>>>(keys, (1 << 20) - 1, numbers(n, 1u << 30), 4,
                                   o);
  return finished("probes");
}
