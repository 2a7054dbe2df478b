//===- accumulators.cu - One accumulator, and four -------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread adds up powers with few warps resident: one chain of additions,
// two and four that are independent.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *out, const float *in, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], sum = 0;
#pragma unroll 8
  for (int k = 0; k < rounds; ++k)
    sum = sum * x + 1.0f;
  out[i] = sum;
}

__global__ void two(float *out, const float *in, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], x2 = x * x, a = 0, b = 0;
#pragma unroll 4
  for (int k = 0; k < rounds; k += 2) {
    a = a * x2 + 1.0f;
    b = b * x2 + 1.0f;
  }
  out[i] = a + x * b;
}

__global__ void fixed(float *out, const float *in, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], x4 = x * x * x * x, a = 0, b = 0, c = 0, d = 0;
#pragma unroll 2
  for (int k = 0; k < rounds; k += 4) {
    a = a * x4 + 1.0f;
    b = b * x4 + 1.0f;
    c = c * x4 + 1.0f;
    d = d * x4 + 1.0f;
  }
  out[i] = a + x * (b + x * (c + x * d));
}

int main() {
  int count = 132 * 128, rounds = 1 << 15;
  std::vector<float> values = noise(count);
  for (float &v : values)
    v *= 0.5f;
  DeviceArray<float> in(values), naiveOut(count), fixedOut(count);
  Pair pair("accumulators");
  while (pair.next("naive"))
    naive<<<count / 128, 128>>>(naiveOut, in, rounds);
  while (pair.next("two"))
    two<<<count / 128, 128>>>(fixedOut, in, rounds);
  while (pair.next("fixed"))
    fixed<<<count / 128, 128>>>(fixedOut, in, rounds);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
