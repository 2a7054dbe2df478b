//===- spills.cu - Registers in memory, and in registers -------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forty running sums per thread under a limit of 32 registers, and without it.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

constexpr int Sums = 40;

__device__ void addUp(float *out, const float *in, int rounds, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sums[Sums];
#pragma unroll
  for (int s = 0; s < Sums; ++s)
    sums[s] = float(s);
#pragma unroll 1
  for (int k = 0; k < rounds; ++k) {
    float x = in[(long)k * count + i];
#pragma unroll
    for (int s = 0; s < Sums; ++s)
      sums[s] = sums[s] * x + sums[(s + 7) % Sums];
  }
  float all = 0;
#pragma unroll
  for (int s = 0; s < Sums; ++s)
    all += sums[s];
  out[i] = all;
}

__global__ void __launch_bounds__(256, 8)
    naive(float *out, const float *in, int rounds, int count) {
  addUp(out, in, rounds, count);
}

__global__ void fixed(float *out, const float *in, int rounds, int count) {
  addUp(out, in, rounds, count);
}

int main() {
  int count = 1 << 19, rounds = 32;
  std::vector<float> values = noise(std::size_t(count) * rounds);
  for (float &v : values)
    v *= 0.01f;
  DeviceArray<float> in(values), naiveOut(count), fixedOut(count);
  Pair pair("spills");
  while (pair.next("naive"))
    naive<<<count / 256, 256>>>(naiveOut, in, rounds, count);
  while (pair.next("fixed"))
    fixed<<<count / 256, 256>>>(fixedOut, in, rounds, count);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
