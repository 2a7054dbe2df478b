//===- transpose.cu - Coalescing and bank conflicts ------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three transposes of a square matrix, after the Instruction Roofline paper
// (Ding and Williams 2019, section IV.C): 32x32 tiles by blocks of 32x8
// threads, each thread four elements.
//   transposeNaive           writes with a stride of one row: 32 sectors a
//                            request instead of 4
//   transposeCoalesced       turns the tile in shared memory; lanes of a warp
//                            read one column of it: a 32-way bank conflict
//   transposeNoBankConflict  the same with rows padded to 33 elements
//
// Usage: transpose [rows, a multiple of 32]
//
//===----------------------------------------------------------------------===//

#include "example.h"

constexpr int Tile = 32;
constexpr int Rows = 8;

__global__ void transposeNaive(float *out, const float *in, int n) {
  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
  for (int j = 0; j < Tile; j += Rows)
    out[x * n + y + j] = in[(y + j) * n + x];
}

__global__ void transposeCoalesced(float *out, const float *in, int n) {
  __shared__ float tile[Tile][Tile];
  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
  for (int j = 0; j < Tile; j += Rows)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
  for (int j = 0; j < Tile; j += Rows)
    out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void transposeNoBankConflict(float *out, const float *in, int n) {
  __shared__ float tile[Tile][Tile + 1];
  int x = blockIdx.x * Tile + threadIdx.x;
  int y = blockIdx.y * Tile + threadIdx.y;
  for (int j = 0; j < Tile; j += Rows)
    tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y = blockIdx.x * Tile + threadIdx.y;
  for (int j = 0; j < Tile; j += Rows)
    out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

static bool isTransposed(const std::vector<float> &out,
                         const std::vector<float> &in, int n) {
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      if (out[x * n + y] != in[y * n + x])
        return false;
  return true;
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 1024);
  std::vector<float> in(n * n);
  for (int i = 0; i < n * n; ++i)
    in[i] = static_cast<float>(i % 65521);
  DeviceArray<float> deviceIn(in), deviceOut(n * n);
  dim3 grid(n / Tile, n / Tile), block(Tile, Rows);
  bool right = true;

  transposeNaive<<<grid, block>>>(deviceOut, deviceIn, n);
  finish("transposeNaive");
  right &= verdict("transposeNaive", isTransposed(deviceOut.toHost(), in, n));

  transposeCoalesced<<<grid, block>>>(deviceOut, deviceIn, n);
  finish("transposeCoalesced");
  right &=
      verdict("transposeCoalesced", isTransposed(deviceOut.toHost(), in, n));

  transposeNoBankConflict<<<grid, block>>>(deviceOut, deviceIn, n);
  finish("transposeNoBankConflict");
  right &= verdict("transposeNoBankConflict",
                   isTransposed(deviceOut.toHost(), in, n));
  return right ? 0 : 1;
}
