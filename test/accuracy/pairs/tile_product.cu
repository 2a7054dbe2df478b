//===- tile_product.cu - A column of shared memory -------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of pairs of 32x32 tiles, the second one transposed: lanes of a warp
// read a column of it. The mended kernel pads its rows.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *out, const float *left, const float *right) {
  __shared__ float a[32][32], b[32][32];
  int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 1024 + y * 32 + x;
  a[y][x] = left[at];
  b[y][x] = right[at];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 32; ++k)
    sum += a[y][k] * b[x][k];
  out[at] = sum;
}

__global__ void fixed(float *out, const float *left, const float *right) {
  __shared__ float a[32][32], b[32][33];
  int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 1024 + y * 32 + x;
  a[y][x] = left[at];
  b[y][x] = right[at];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 32; ++k)
    sum += a[y][k] * b[x][k];
  out[at] = sum;
}

int main() {
  int tiles = 16384;
  std::vector<float> values = noise(std::size_t(tiles) * 1024);
  DeviceArray<float> left(values), right(values);
  DeviceArray<float> naiveOut(values.size()), fixedOut(values.size());
  Pair pair("tile_product");
  while (pair.next("naive"))
    naive<<<tiles, dim3(32, 32)>>>(naiveOut, left, right);
  while (pair.next("fixed"))
    fixed<<<tiles, dim3(32, 32)>>>(fixedOut, left, right);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
