//===- rows.cu - Blocks whose rows are shorter than lines ------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sum over an image in blocks of 4x64 threads: a warp touches eight rows.
// The mended launch has blocks of 32x8.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

static __device__ void add(float *out, const float *a, const float *b,
                           int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = a[y * width + x] + b[y * width + x];
}

__global__ void naive(float *out, const float *a, const float *b, int width) {
  add(out, a, b, width);
}

__global__ void fixed(float *out, const float *a, const float *b, int width) {
  add(out, a, b, width);
}

int main() {
  int width = 4096, height = 4096;
  std::vector<float> values = noise(std::size_t(width) * height);
  DeviceArray<float> a(values), b(values);
  DeviceArray<float> naiveOut(values.size()), fixedOut(values.size());
  Pair pair("rows");
  while (pair.next("naive"))
    naive<<<dim3(width / 4, height / 64), dim3(4, 64)>>>(naiveOut, a, b, width);
  while (pair.next("fixed"))
    fixed<<<dim3(width / 32, height / 8), dim3(32, 8)>>>(fixedOut, a, b, width);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
