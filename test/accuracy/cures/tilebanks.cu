//===- tilebanks.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tile of doubles read by columns; cure: a padded row.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

template <int Pad> __device__ void turn(const double *a, double *b, int n) {
  __shared__ double tile[32][32 + Pad];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = a[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    b[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void slow(const double *a, double *b, int n) { turn<0>(a, b, n); }
__global__ void fast(const double *a, double *b, int n) { turn<1>(a, b, n); }
int main() {
  const int n = 4096;
  double *a = numbers<double>(n * n), *b = numbers<double>(n * n);
  timeLaunches("tilebanks,slow", beginClean,
               [&] { slow<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, b, n); });
  timeLaunches("tilebanks,fast", beginClean,
               [&] { fast<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(a, b, n); });
}
