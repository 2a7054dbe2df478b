//===- saxpy_strided.cu - Sectors per request against stride ---*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// y = a x + y over every stride-th element. A warp's request touches 4 sectors
// at stride 1, 8 at 2, and 32 from stride 8 on: the same work, up to eight
// times the traffic. The stride is an argument, so the compiler cannot see it.
//
// Usage: saxpy_strided [elements] [stride]
//
//===----------------------------------------------------------------------===//

#include "example.h"

__global__ void saxpyStrided(float a, const float *x, float *y, int n,
                             int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i * stride] = a * x[i * stride] + y[i * stride];
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 1 << 22);
  int stride = argumentOr(argc, argv, 2, 8);
  DeviceArray<float> x(std::vector<float>(n * stride, 2.0f));
  DeviceArray<float> y(std::vector<float>(n * stride, 1.0f));

  saxpyStrided<<<(n + 255) / 256, 256>>>(3.0f, x, y, n, stride);
  finish("saxpyStrided");

  bool right = true;
  std::vector<float> result = y.toHost();
  for (int i = 0; i < n * stride; ++i)
    right &= result[i] == (i % stride ? 1.0f : 7.0f);
  return verdict("saxpyStrided", right) ? 0 : 1;
}
