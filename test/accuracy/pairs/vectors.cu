//===- vectors.cu - Words one by one, and by four --------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sum of two arrays, one word a thread: the warps that an SM holds have too few
// bytes in flight for DRAM. The mended kernel moves four words at once.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *c, const float *a, const float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  c[i] = a[i] + b[i];
}

__global__ void fixed(float4 *c, const float4 *a, const float4 *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 x = a[i], y = b[i];
  c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

int main() {
  int size = 1 << 24;
  std::vector<float> values = noise(size);
  DeviceArray<float> a(values), b(values);
  DeviceArray<float> naiveOut(values.size()), fixedOut(values.size());
  Pair pair("vectors");
  while (pair.next("naive"))
    naive<<<size / 256, 256>>>(naiveOut, a, b);
  while (pair.next("fixed"))
    fixed<<<size / 4 / 256, 256>>>((float4 *)(float *)fixedOut,
                                   (const float4 *)(const float *)a,
                                   (const float4 *)(const float *)b);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
