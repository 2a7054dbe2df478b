//===- records.cu - Shared records of eight words, and of nine -*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread keeps a small queue in shared memory: an 8-way bank conflict.
// The mended kernel makes the queues one word longer.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *out, const float *in, int rounds) {
  __shared__ float queue[256 * 8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float *mine = queue + threadIdx.x * 8;
  float x = in[i];
  for (int k = 0; k < 8; ++k)
    mine[k] = x + k;
  float sum = 0;
  for (int k = 0; k < rounds; ++k) {
    sum += mine[k & 7];
    mine[(k + 3) & 7] = sum;
  }
  out[i] = sum;
}

__global__ void fixed(float *out, const float *in, int rounds) {
  __shared__ float queue[256 * 9];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float *mine = queue + threadIdx.x * 9;
  float x = in[i];
  for (int k = 0; k < 8; ++k)
    mine[k] = x + k;
  float sum = 0;
  for (int k = 0; k < rounds; ++k) {
    sum += mine[k & 7];
    mine[(k + 3) & 7] = sum;
  }
  out[i] = sum;
}

int main() {
  int count = 1 << 20, rounds = 96;
  std::vector<float> values = noise(count);
  DeviceArray<float> in(values), naiveOut(count), fixedOut(count);
  Pair pair("records");
  while (pair.next("naive"))
    naive<<<count / 256, 256>>>(naiveOut, in, rounds);
  while (pair.next("fixed"))
    fixed<<<count / 256, 256>>>(fixedOut, in, rounds);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
