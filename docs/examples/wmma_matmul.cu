//===- wmma_matmul.cu - Matrix product on the tensor units -----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half-precision factors, single-precision sums, one warp for each 16x16 tile
// of the result. Shows tensor instructions, and that without reuse in shared
// memory it is the loads that limit. Needs the toolkit's mma.h.
//
// Usage: wmma_matmul [rows, a multiple of 64]
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

  bool right = true;
  std::vector<float> c = deviceC.toHost();
  for (int row = 0; row < n; row += 97)
    for (int column = 0; column < n; ++column) {
      int sum = 0;
      for (int k = 0; k < n; ++k)
        sum += (row * n + k) % 3 * ((k * n + column) % 5);
      right &= c[row * n + column] == static_cast<float>(sum);
    }
  return verdict("wmmaMatmul", right) ? 0 : 1;
}
