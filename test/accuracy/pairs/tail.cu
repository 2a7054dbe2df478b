//===- tail.cu - A grid of one wave and a bit, and of one wave -*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As many long blocks as fit on 132 SMs, eight each, and a tenth more of them.
// The mended kernel has the work of all in blocks that fit.
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
  int naiveBlocks = 132 * 8 + 106, fixedBlocks = 132 * 8;
  DeviceArray<float> data(noise(naiveBlocks * 256));
  Pair pair("tail");
  while (pair.next("naive"))
    naive<<<naiveBlocks, 256>>>(data, 10000);
  while (pair.next("fixed"))
    fixed<<<fixedBlocks, 256>>>(data, 11004);
  return 0;
}
