//===- matmul_tiled.cu - Reuse through shared memory -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product of square matrices in tiles of 32x32, one element of the result a
// thread. A global word is loaded once and used 32 times; each multiply-add
// reads two words of shared memory, one a broadcast and one conflict-free,
// which makes shared memory the limit and not arithmetic.
//
// Usage: matmul_tiled [rows, a multiple of 32]
//
//===----------------------------------------------------------------------===//

#include "example.h"

constexpr int Tile = 32;

__global__ void matmulTiled(const float *a, const float *b, float *c, int n) {
  __shared__ float tileA[Tile][Tile], tileB[Tile][Tile];
  int column = blockIdx.x * Tile + threadIdx.x;
  int row = blockIdx.y * Tile + threadIdx.y;
  float sum = 0.0f;
  for (int t = 0; t < n; t += Tile) {
    tileA[threadIdx.y][threadIdx.x] = a[row * n + t + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 1024);
  // Small whole numbers: every partial sum is exact in float.
  std::vector<float> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 7);
    b[i] = static_cast<float>(i % 5);
  }
  DeviceArray<float> deviceA(a), deviceB(b), deviceC(n * n);

  matmulTiled<<<dim3(n / Tile, n / Tile), dim3(Tile, Tile)>>>(deviceA, deviceB,
                                                              deviceC, n);
  finish("matmulTiled");

  bool right = true;
  std::vector<float> c = deviceC.toHost();
  for (int row = 0; row < n; row += 97)
    for (int column = 0; column < n; ++column) {
      float sum = 0.0f;
      for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
      right &= c[row * n + column] == sum;
    }
  return verdict("matmulTiled", right) ? 0 : 1;
}
