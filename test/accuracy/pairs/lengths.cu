//===- lengths.cu - Lanes of different lengths -----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of 1 to 32 elements: one length a lane, and one a warp.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int length = threadIdx.x % 32 + 1;
  float x = data[i];
#pragma unroll 1
  for (int k = 0; k < length; ++k)
    x = x * 0.5f + __expf(x);
  data[i] = x;
}

__global__ void fixed(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int length = threadIdx.x / 32 + 1;
  float x = data[i];
#pragma unroll 1
  for (int k = 0; k < length; ++k)
    x = x * 0.5f + __expf(x);
  data[i] = x;
}

int main() {
  int count = 1 << 23;
  DeviceArray<float> data(noise(count));
  Pair pair("lengths");
  while (pair.next("naive"))
    naive<<<count / 1024, 1024>>>(data);
  while (pair.next("fixed"))
    fixed<<<count / 1024, 1024>>>(data);
  return 0;
}
