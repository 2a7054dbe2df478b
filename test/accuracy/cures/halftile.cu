//===- halftile.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Halves that a tile of 32x32 transposes, 64 bytes a warp and row; cure: tiles
/// of 64x64, two halves an access.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

#include <cuda_fp16.h>

__global__ void slow(const __half *in, __half *out, int n) {
  __shared__ __half tile[32][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void fast(const __half2 *in, __half2 *out, int n) {
  __shared__ __half tile[64][66];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 64 + threadIdx.y;
  for (int k = 0; k < 64; k += 8)
    *(__half2 *)&tile[threadIdx.y + k][threadIdx.x * 2] =
        in[(size_t)(y + k) * (n / 2) + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 64 + threadIdx.y;
  for (int k = 0; k < 64; k += 8)
    out[(size_t)(y + k) * (n / 2) + x] =
        __halves2half2(tile[threadIdx.x * 2][threadIdx.y + k],
                       tile[threadIdx.x * 2 + 1][threadIdx.y + k]);
}
int main() {
  const int n = 8192;
  __half *a = numbers<__half>((size_t)n * n),
         *b = numbers<__half>((size_t)n * n);
  timeLaunches("halftile,slow", beginClean,
               [&] { slow<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, b, n); });
  timeLaunches("halftile,fast", beginClean, [&] {
    fast<<<dim3(n / 64, n / 64), dim3(32, 8)>>>((__half2 *)a, (__half2 *)b, n);
  });
}
