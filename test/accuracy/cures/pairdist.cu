//===- pairdist.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Distances of all rows of one matrix to all of another; cure: tiles in
/// shared memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *b, float *d, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int c = 0; c < k; c++) {
    float x = a[i * k + c] - b[j * k + c];
    sum += x * x;
  }
  d[i * n + j] = sqrtf(sum);
}
__global__ void fast(const float *a, const float *b, float *d, int n, int k) {
  __shared__ float ta[16][17], tb[16][17];
  int tx = threadIdx.x, ty = threadIdx.y;
  int j = blockIdx.x * 16 + tx, i = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int c = 0; c < k; c += 16) {
    ta[ty][tx] = a[i * k + c + tx];
    tb[ty][tx] = b[(blockIdx.x * 16 + ty) * k + c + tx];
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 16; q++) {
      float x = ta[ty][q] - tb[tx][q];
      sum += x * x;
    }
    __syncthreads();
  }
  d[i * n + j] = sqrtf(sum);
}
int main() {
  const int n = 2048, k = 64;
  float *a = numbers<float>(n * k), *b = numbers<float>(n * k),
        *d = numbers<float>(n * n);
  dim3 block(16, 16), grid(n / 16, n / 16);
  timeLaunches("pairdist,slow", beginClean,
               [&] { slow<<<grid, block>>>(a, b, d, n, k); });
  timeLaunches("pairdist,fast", beginClean,
               [&] { fast<<<grid, block>>>(a, b, d, n, k); });
}
