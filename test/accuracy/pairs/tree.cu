//===- tree.cu - A sum as a tree in shared memory ---------------*- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks sum 256 words in a tree of eight steps, each with a barrier. In the
// mended kernel warps shuffle, and shared memory holds one word of each.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *sums, const float *in) {
  __shared__ float words[256];
  unsigned t = threadIdx.x;
  words[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned half = 128; half != 0; half /= 2) {
    if (t < half)
      words[t] += words[t + half];
    __syncthreads();
  }
  if (t == 0)
    sums[blockIdx.x] = words[0];
}

static __device__ float sumOfWarp(float x) {
  for (int distance = 16; distance != 0; distance /= 2)
    x += __shfl_down_sync(~0u, x, distance);
  return x;
}

__global__ void fixed(float *sums, const float *in) {
  __shared__ float words[8];
  unsigned t = threadIdx.x;
  float x = sumOfWarp(in[blockIdx.x * 256 + t]);
  if (t % 32 == 0)
    words[t / 32] = x;
  __syncthreads();
  if (t < 32) {
    x = sumOfWarp(t < 8 ? words[t] : 0);
    if (t == 0)
      sums[blockIdx.x] = x;
  }
}

int main() {
  int blocks = 1 << 17;
  std::vector<float> values = noise(std::size_t(blocks) * 256);
  DeviceArray<float> in(values), naiveOut(blocks), fixedOut(blocks);
  Pair pair("tree");
  while (pair.next("naive"))
    naive<<<blocks, 256>>>(naiveOut, in);
  while (pair.next("fixed"))
    fixed<<<blocks, 256>>>(fixedOut, in);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
