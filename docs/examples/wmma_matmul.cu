//===- wmma_matmul.cu - Matrix product on the tensor units -----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half-precision factors, single-precision sums, one warp for each 16x16 tile
// of the result. Shows tensor instructions, and that without reuse in shared
// memory it is the loads that limit. The second kernel keeps tiles of both
// factors in shared memory, in rows that are padded so that fragments can be
// loaded with few bank conflicts (Ding and Williams 2019, section IV.E); its
// second factor is transposed. Needs the toolkit's mma.h.
//
// Usage: wmma_matmul [rows, a multiple of 128]
//
//===----------------------------------------------------------------------===//

#include <mma.h>

#include "example.h"

using namespace nvcuda;

constexpr int Tile = 16;

__global__ void wmmaMatmul(const __half *a, const __half *b, float *c, int n) {
  int column = (blockIdx.x * blockDim.x + threadIdx.x) / 32 * Tile;
  int row = (blockIdx.y * blockDim.y + threadIdx.y) * Tile;
  wmma::fragment<wmma::matrix_a, Tile, Tile, Tile, __half, wmma::row_major>
      factorA;
  wmma::fragment<wmma::matrix_b, Tile, Tile, Tile, __half, wmma::row_major>
      factorB;
  wmma::fragment<wmma::accumulator, Tile, Tile, Tile, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += Tile) {
    wmma::load_matrix_sync(factorA, a + row * n + k, n);
    wmma::load_matrix_sync(factorB, b + k * n + column, n);
    wmma::mma_sync(sum, factorA, factorB, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

constexpr int BlockTile = 128, Depth = 64, Padding = 8;

using SharedTile = __half[BlockTile][Depth + Padding];

/// Copies \p tile from rows of \p n elements, 16 bytes a lane; 128 threads.
__device__ void copyTile(SharedTile &tile, const __half *from, int n) {
  constexpr int PerLane = 8, LanesPerRow = Depth / PerLane;
  int thread = threadIdx.x % 128;
  for (int row = thread / LanesPerRow; row < BlockTile;
       row += 128 / LanesPerRow) {
    int column = thread % LanesPerRow * PerLane;
    *reinterpret_cast<int4 *>(&tile[row][column]) =
        *reinterpret_cast<const int4 *>(&from[row * n + column]);
  }
}

__global__ void __launch_bounds__(256)
    wmmaMatmulShared(const __half *a, const __half *b, float *c, int n) {
  __shared__ __align__(16) SharedTile tileA, tileB;
  // Eight warps: four side by side in rows, two in columns, 2x4 products each.
  int warp = threadIdx.x / 32, row = warp / 2 * 32, column = warp % 2 * 64;
  wmma::fragment<wmma::matrix_a, Tile, Tile, Tile, __half, wmma::row_major>
      factorA[2];
  wmma::fragment<wmma::matrix_b, Tile, Tile, Tile, __half, wmma::col_major>
      factorB;
  wmma::fragment<wmma::accumulator, Tile, Tile, Tile, float> sum[2][4];
  for (auto &rowOfSums : sum)
    for (auto &s : rowOfSums)
      wmma::fill_fragment(s, 0.0f);
  for (int k = 0; k < n; k += Depth) {
    if (warp < 4)
      copyTile(tileA, a + blockIdx.y * BlockTile * n + k, n);
    else
      copyTile(tileB, b + blockIdx.x * BlockTile * n + k, n);
    __syncthreads();
#pragma unroll
    for (int step = 0; step < Depth; step += Tile) {
#pragma unroll
      for (int i = 0; i < 2; ++i)
        wmma::load_matrix_sync(factorA[i], &tileA[row + i * Tile][step],
                               Depth + Padding);
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        wmma::load_matrix_sync(factorB, &tileB[column + j * Tile][step],
                               Depth + Padding);
#pragma unroll
        for (int i = 0; i < 2; ++i)
          wmma::mma_sync(sum[i][j], factorA[i], factorB, sum[i][j]);
      }
    }
    __syncthreads();
  }
  float *to =
      c + (blockIdx.y * BlockTile + row) * n + blockIdx.x * BlockTile + column;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      wmma::store_matrix_sync(to + i * Tile * n + j * Tile, sum[i][j], n,
                              wmma::mem_row_major);
}

/// Whether \p c is the product of the factors that main() makes, the second
/// one transposed or not.
static bool isProduct(const std::vector<float> &c, int n, bool transposed) {
  for (int row = 0; row < n; row += 97)
    for (int column = 0; column < n; ++column) {
      int sum = 0;
      for (int k = 0; k < n; ++k)
        sum += (row * n + k) % 3 *
               ((transposed ? column * n + k : k * n + column) % 5);
      if (c[row * n + column] != static_cast<float>(sum))
        return false;
    }
  return true;
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 1024);
  // Small whole numbers: products and sums are exact.
  std::vector<__half> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = __float2half(static_cast<float>(i % 3));
    b[i] = __float2half(static_cast<float>(i % 5));
  }
  DeviceArray<__half> deviceA(a), deviceB(b);
  DeviceArray<float> deviceC(n * n);

  // Four warps side by side and four rows of them: 64x64 elements a block.
  wmmaMatmul<<<dim3(n / 64, n / 64), dim3(128, 4)>>>(deviceA, deviceB, deviceC,
                                                     n);
  finish("wmmaMatmul");

  bool right = verdict("wmmaMatmul",
                       isProduct(deviceC.toHost(), n, /*transposed=*/false));

  wmmaMatmulShared<<<dim3(n / BlockTile, n / BlockTile), 256>>>(
      deviceA, deviceB, deviceC, n);
  finish("wmmaMatmulShared");
  right &= verdict("wmmaMatmulShared",
                   isProduct(deviceC.toHost(), n, /*transposed=*/true));
  return right ? 0 : 1;
}
