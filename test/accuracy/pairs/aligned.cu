//===- aligned.cu - Streams that start inside a sector ---------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// out = a + b + c from arrays whose first element is left out.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *out, const float *a, const float *b,
                      const float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i + 1] = a[i + 1] + b[i + 1] + c[i + 1];
}

__global__ void fixed(float *out, const float *a, const float *b,
                      const float *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[i] + b[i] + c[i];
}

int main() {
  int size = 1 << 25;
  std::vector<float> values = noise(size + 1);
  DeviceArray<float> a(values), b(values), c(values);
  DeviceArray<float> out(size + 1);
  Pair pair("aligned");
  while (pair.next("naive"))
    naive<<<size / 256, 256>>>(out, a, b, c);
  while (pair.next("fixed"))
    fixed<<<size / 256, 256>>>(out, a, b, c);
  return 0;
}
