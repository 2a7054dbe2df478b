//===- register_tile.cu - Outputs of a thread of a product -----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Product of matrices in tiles of 32x32, one output a thread: each multiply-add
// loads two words of shared memory. The mended kernel computes eight outputs
// along y in a thread, `tiled` four along x besides.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

constexpr int Tile = 32, Rows = 8, Columns = 4;

__global__ void naive(float *c, const float *a, const float *b, int n) {
  __shared__ float tileA[Tile][Tile], tileB[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * Tile + x, row = blockIdx.y * Tile + y;
  float sum = 0;
  for (int t = 0; t < n; t += Tile) {
    tileA[y][x] = a[row * n + t + x];
    tileB[y][x] = b[(t + y) * n + column];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void fixed(float *c, const float *a, const float *b, int n) {
  __shared__ float tileA[Tile][Tile], tileB[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * Tile + x, row = blockIdx.y * Tile + y;
  constexpr int Step = Tile / Rows;
  float sum[Rows] = {};
  for (int t = 0; t < n; t += Tile) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      int at = y + r * Step;
      tileA[at][x] = a[(row + r * Step) * n + t + x];
      tileB[at][x] = b[(t + at) * n + column];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; ++k)
#pragma unroll
      for (int r = 0; r < Rows; ++r)
        sum[r] += tileA[y + r * Step][k] * tileB[k][x];
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < Rows; ++r)
    c[(row + r * Step) * n + column] = sum[r];
}

__global__ void tiled(float *c, const float *a, const float *b, int n) {
  __shared__ float tileA[Tile][Tile], tileB[Columns][Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * Tile * Columns + x, row = blockIdx.y * Tile + y;
  constexpr int Step = Tile / Rows;
  float sum[Columns][Rows] = {};
  for (int t = 0; t < n; t += Tile) {
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
      int at = y + r * Step;
      tileA[at][x] = a[(row + r * Step) * n + t + x];
#pragma unroll
      for (int s = 0; s < Columns; ++s)
        tileB[s][at][x] = b[(t + at) * n + column + s * Tile];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; ++k)
#pragma unroll
      for (int r = 0; r < Rows; ++r)
#pragma unroll
        for (int s = 0; s < Columns; ++s)
          sum[s][r] += tileA[y + r * Step][k] * tileB[s][k][x];
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < Rows; ++r)
#pragma unroll
    for (int s = 0; s < Columns; ++s)
      c[(row + r * Step) * n + column + s * Tile] = sum[s][r];
}

int main() {
  int n = 1024;
  std::vector<float> values = noise(std::size_t(n) * n);
  DeviceArray<float> a(values), b(values);
  DeviceArray<float> naiveOut(values.size()), fixedOut(values.size());
  DeviceArray<float> tiledOut(values.size());
  Pair pair("register_tile");
  while (pair.next("naive"))
    naive<<<dim3(n / Tile, n / Tile), dim3(Tile, Tile)>>>(naiveOut, a, b, n);
  while (pair.next("fixed"))
    fixed<<<dim3(n / Tile, n / Tile), dim3(Tile, Tile / Rows)>>>(fixedOut, a, b,
                                                                 n);
  while (pair.next("tiled"))
    tiled<<<dim3(n / Tile / Columns, n / Tile), dim3(Tile, Tile / Rows)>>>(
        tiledOut, a, b, n);
  std::vector<float> right = naiveOut.toHost();
  return compare(right, fixedOut.toHost()) | compare(right, tiledOut.toHost());
}
