//===- sides.cu - Lanes that part, and warps that do -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two kinds of work, alternating between lanes; the mended kernel alternates
// between warps.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__device__ float oneSide(float x, int rounds) {
#pragma unroll 1
  for (int k = 0; k < rounds; ++k)
    x = x * 0.5f + sqrtf(x);
  return x;
}

__device__ float otherSide(float x, int rounds) {
#pragma unroll 1
  for (int k = 0; k < rounds; ++k)
    x = 0.25f * x + 1.0f / (1.0f + x);
  return x;
}

__global__ void naive(float *data, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  if (threadIdx.x % 4 == 0)
    x = oneSide(x, rounds);
  else
    x = otherSide(x, rounds);
  data[i] = x;
}

__global__ void fixed(float *data, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  if (threadIdx.x / 32 % 4 == 0)
    x = oneSide(x, rounds);
  else
    x = otherSide(x, rounds);
  data[i] = x;
}

int main() {
  int count = 1 << 20, rounds = 40;
  DeviceArray<float> data(noise(count));
  Pair pair("sides");
  while (pair.next("naive"))
    naive<<<count / 256, 256>>>(data, rounds);
  while (pair.next("fixed"))
    fixed<<<count / 256, 256>>>(data, rounds);
  return 0;
}
