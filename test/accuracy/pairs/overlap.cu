//===- overlap.cu - One load at a time, and four ---------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Long streams with few warps resident: each iteration waits for its load. The
// mended kernels keep two and four loads in flight.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *out, const float *in, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < rounds; ++k)
    sum += in[(long)k * threads + i];
  out[i] = sum;
}

__global__ void two(float *out, const float *in, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float a = 0, b = 0;
#pragma unroll 1
  for (int k = 0; k < rounds; k += 2) {
    const float *at = in + (long)k * threads + i;
    a += at[0];
    b += at[threads];
  }
  out[i] = a + b;
}

__global__ void fixed(float *out, const float *in, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int threads = gridDim.x * blockDim.x;
  float a = 0, b = 0, c = 0, d = 0;
#pragma unroll 1
  for (int k = 0; k < rounds; k += 4) {
    const float *at = in + (long)k * threads + i;
    a += at[0];
    b += at[threads];
    c += at[2l * threads];
    d += at[3l * threads];
  }
  out[i] = a + b + c + d;
}

int main() {
  int threads = 132 * 256, rounds = 1024;
  std::vector<float> values = noise(std::size_t(threads) * rounds);
  DeviceArray<float> in(values), naiveOut(threads), fixedOut(threads);
  Pair pair("overlap");
  while (pair.next("naive"))
    naive<<<132, 256>>>(naiveOut, in, rounds);
  while (pair.next("two"))
    two<<<132, 256>>>(fixedOut, in, rounds);
  while (pair.next("fixed"))
    fixed<<<132, 256>>>(fixedOut, in, rounds);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
