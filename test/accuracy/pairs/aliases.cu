//===- aliases.cu - Arrays that may overlap --------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices that adds to its result in memory: the compiler stores
// each partial sum, because the arrays may overlap. The mended kernel promises
// that they do not.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *c, float *a, float *b, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  for (int k = 0; k < n; ++k)
    c[i * n + j] += a[i * n + k] * b[k * n + j];
}

__global__ void fixed(float *__restrict__ c, const float *__restrict__ a,
                      const float *__restrict__ b, int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  for (int k = 0; k < n; ++k)
    c[i * n + j] += a[i * n + k] * b[k * n + j];
}

int main() {
  int n = 1024;
  std::vector<float> values = noise(std::size_t(n) * n);
  DeviceArray<float> a(values), b(values);
  DeviceArray<float> naiveOut(values), fixedOut(values);
  dim3 grid(n / 32, n / 8), block(32, 8);
  Pair pair("aliases");
  while (pair.next("naive"))
    naive<<<grid, block>>>(naiveOut, a, b, n);
  while (pair.next("fixed"))
    fixed<<<grid, block>>>(fixedOut, a, b, n);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
