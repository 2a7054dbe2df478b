//===- lanes.cu - Blocks of 40 threads, and of 32 --------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A quarter of the lanes of every second warp has work.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *data, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
#pragma unroll 4
  for (int k = 0; k < rounds; ++k)
    x = x * 0.5f + 1.0f;
  data[i] = x;
}

__global__ void fixed(float *data, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
#pragma unroll 4
  for (int k = 0; k < rounds; ++k)
    x = x * 0.5f + 1.0f;
  data[i] = x;
}

int main() {
  int count = 132 * 32 * 320, rounds = 1000;
  DeviceArray<float> data(noise(count));
  Pair pair("lanes");
  while (pair.next("naive"))
    naive<<<count / 40, 40>>>(data, rounds);
  while (pair.next("fixed"))
    fixed<<<count / 64, 64>>>(data, rounds);
  return 0;
}
