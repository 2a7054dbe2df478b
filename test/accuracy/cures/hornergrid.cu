//===- hornergrid.cu - four polynomials at once where warps are few *- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int steps, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float x = a[i], v = x;
    for (int k = 0; k < steps; k++)
      v = v * x + 0.3f;
    b[i] = v;
  }
}
int main() {
  const int n = 132 * 128 * 64;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("hornergrid,slow", beginClean,
               [&] { slow<<<132, 128>>>(a, b, 512, n); });
  timeLaunches("hornergrid,fast", beginClean,
               [&] { slow<<<2112, 128>>>(a, b, 512, n); });
}
