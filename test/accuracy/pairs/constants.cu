//===- constants.cu - Constants of double precision ------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A polynomial of floats whose constants are doubles.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], y = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k)
    y = y * x + 0.1 * (k + 1);
  out[i] = y;
}

__global__ void fixed(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], y = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k)
    y = y * x + 0.1f * (k + 1);
  out[i] = y;
}

int main() {
  int size = 1 << 24;
  DeviceArray<float> in(noise(size)), naiveOut(size), fixedOut(size);
  Pair pair("constants");
  while (pair.next("naive"))
    naive<<<size / 256, 256>>>(naiveOut, in);
  while (pair.next("fixed"))
    fixed<<<size / 256, 256>>>(fixedOut, in);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
