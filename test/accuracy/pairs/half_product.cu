//===- half_product.cu - A product of matrices in scalar code ---*- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles of half precision in shared memory, multiplied and added in float by
// scalar instructions. In the mended kernel tensor cores do it.
//
//===----------------------------------------------------------------------===//

#include "pair.h"
#include <cuda_fp16.h>
#include <mma.h>

constexpr int Tile = 32;

__global__ void naive(float *__restrict__ c, const __half *__restrict__ a,
                      const __half *__restrict__ b, int n) {
  __shared__ __half tileA[Tile][Tile], tileB[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int j = blockIdx.x * Tile + x, i = blockIdx.y * Tile + y;
  float sum = 0;
  for (int t = 0; t < n; t += Tile) {
    tileA[y][x] = a[i * n + t + x];
    tileB[y][x] = b[(t + y) * n + j];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += __half2float(tileA[y][k]) * __half2float(tileB[k][x]);
    __syncthreads();
  }
  c[i * n + j] = sum;
}

/// Four warps, each with a quarter of the tile.
__global__ void fixed(float *__restrict__ c, const __half *__restrict__ a,
                      const __half *__restrict__ b, int n) {
  using namespace nvcuda::wmma;
  __shared__ __half tileA[Tile][Tile], tileB[Tile][Tile];
  int lane = threadIdx.x, warp = threadIdx.y;
  int row = warp / 2 * 16, column = warp % 2 * 16;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0);
  for (int t = 0; t < n; t += Tile) {
    for (int y = warp; y < Tile; y += 4) {
      tileA[y][lane] = a[(blockIdx.y * Tile + y) * n + t + lane];
      tileB[y][lane] = b[(t + y) * n + blockIdx.x * Tile + lane];
    }
    __syncthreads();
    for (int k = 0; k < Tile; k += 16) {
      fragment<matrix_a, 16, 16, 16, __half, row_major> ofA;
      fragment<matrix_b, 16, 16, 16, __half, row_major> ofB;
      load_matrix_sync(ofA, &tileA[row][k], Tile);
      load_matrix_sync(ofB, &tileB[k][column], Tile);
      mma_sync(sum, ofA, ofB, sum);
    }
    __syncthreads();
  }
  store_matrix_sync(c + (blockIdx.y * Tile + row) * n + blockIdx.x * Tile +
                        column,
                    sum, n, mem_row_major);
}

int main() {
  int n = 1024;
  std::vector<float> values = noise(std::size_t(n) * n);
  std::vector<__half> halves(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    halves[i] = __float2half(values[i]);
  DeviceArray<__half> a(halves), b(halves);
  DeviceArray<float> naiveOut(values.size()), fixedOut(values.size());
  dim3 grid(n / Tile, n / Tile);
  Pair pair("half_product");
  while (pair.next("naive"))
    naive<<<grid, dim3(Tile, Tile)>>>(naiveOut, a, b, n);
  while (pair.next("fixed"))
    fixed<<<grid, dim3(32, 4)>>>(fixedOut, a, b, n);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
