//===- vabs.cu - Needed occupancy against writes ---------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Absolute values in place, written only where the sign changes (after Volkov
// 2016, section 3.10). Where all values are negative, twice the bytes move at
// nearly the same latency, and half the warps saturate memory.
//
// Usage: vabs [elements]
//
//===----------------------------------------------------------------------===//

#include "example.h"

__global__ void vabs(float *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = values[i];
  if (value < 0.0f)
    values[i] = -value;
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 1 << 24);
  std::vector<float> ones(n, 1.0f);
  DeviceArray<float> positive(ones), negative(std::vector<float>(n, -1.0f));
  bool right = true;

  vabs<<<(n + 255) / 256, 256>>>(positive, n);
  finish("vabs");
  right &= verdict("vabs, all positive", positive.toHost() == ones);

  vabs<<<(n + 255) / 256, 256>>>(negative, n);
  finish("vabs");
  right &= verdict("vabs, all negative", negative.toHost() == ones);
  return right ? 0 : 1;
}
