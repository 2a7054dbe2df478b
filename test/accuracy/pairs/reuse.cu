//===- reuse.cu - Words that a block loads several times --------*- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices from global memory: sixteen threads of a block load
// each word. The mended kernel copies tiles to shared memory first.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

constexpr int Tile = 16;

__global__ void naive(float *__restrict__ c, const float *__restrict__ a,
                      const float *__restrict__ b, int n) {
  int j = blockIdx.x * Tile + threadIdx.x, i = blockIdx.y * Tile + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

__global__ void fixed(float *__restrict__ c, const float *__restrict__ a,
                      const float *__restrict__ b, int n) {
  __shared__ float tileA[Tile][Tile], tileB[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int j = blockIdx.x * Tile + x, i = blockIdx.y * Tile + y;
  float sum = 0;
  for (int t = 0; t < n; t += Tile) {
    tileA[y][x] = a[i * n + t + x];
    tileB[y][x] = b[(t + y) * n + j];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[i * n + j] = sum;
}

int main() {
  int n = 1024;
  std::vector<float> values = noise(std::size_t(n) * n);
  DeviceArray<float> a(values), b(values);
  DeviceArray<float> naiveOut(values.size()), fixedOut(values.size());
  dim3 grid(n / Tile, n / Tile), block(Tile, Tile);
  Pair pair("reuse");
  while (pair.next("naive"))
    naive<<<grid, block>>>(naiveOut, a, b, n);
  while (pair.next("fixed"))
    fixed<<<grid, block>>>(fixedOut, a, b, n);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
