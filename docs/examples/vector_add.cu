//===- vector_add.cu - The plainest memory-bound kernel --------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows a kernel that DRAM limits: 12 bytes moved for one addition, every
// access coalesced, and a guard that only the last block can fail.
//
// Usage: vector_add [elements]
//
//===----------------------------------------------------------------------===//

#include "example.h"

__global__ void vectorAdd(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 1 << 24);
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 1000);
    b[i] = static_cast<float>(i % 77);
  }
  DeviceArray<float> deviceA(a), deviceB(b), deviceC(n);

  vectorAdd<<<(n + 255) / 256, 256>>>(deviceA, deviceB, deviceC, n);
  finish("vectorAdd");

  bool right = true;
  std::vector<float> c = deviceC.toHost();
  for (int i = 0; i < n; ++i)
    right &= c[i] == a[i] + b[i];
  return verdict("vectorAdd", right) ? 0 : 1;
}
