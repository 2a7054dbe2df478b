//===- approximate.cu - Rounded and approximate functions ------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of quotients of roots, rounded correctly. The mended kernel takes the
// approximate forms.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] + 1, sum = 0;
  for (int k = 1; k <= 64; ++k)
    sum += __fsqrt_rn(x + k) / (x * k);
  out[i] = sum;
}

__global__ void fixed(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] + 1, sum = 0;
  for (int k = 1; k <= 64; ++k) {
    float root;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(x + k));
    sum += __fdividef(root, x * k);
  }
  out[i] = sum;
}

int main() {
  int size = 1 << 22;
  DeviceArray<float> in(noise(size));
  DeviceArray<float> naiveOut(size), fixedOut(size);
  Pair pair("approximate");
  while (pair.next("naive"))
    naive<<<size / 256, 256>>>(naiveOut, in);
  while (pair.next("fixed"))
    fixed<<<size / 256, 256>>>(fixedOut, in);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
