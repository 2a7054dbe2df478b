//===- halfproduct.cu - a product of halves on the tensor cores *- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"
#include <cuda_fp16.h>
#include <mma.h>

__global__ void slow(const __half *a, const __half *b, float *c, int n) {
  __shared__ __half sa[16][16], sb[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    sa[y][x] = a[row * n + k + x];
    sb[y][x] = b[(k + y) * n + col];
    __syncthreads();
    for (int j = 0; j < 16; j++)
      sum += __half2float(sa[y][j]) * __half2float(sb[j][x]);
    __syncthreads();
  }
  c[row * n + col] = sum;
}
__global__ void fast(const __half *a, const __half *b, float *c, int n) {
  using namespace nvcuda::wmma;
  int row = blockIdx.y * 64 + threadIdx.y * 16, col = blockIdx.x * 64;
  fragment<accumulator, 16, 16, 16, float> sum[4];
  for (int q = 0; q < 4; q++)
    fill_fragment(sum[q], 0);
  for (int k = 0; k < n; k += 16) {
    fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
    load_matrix_sync(fa, a + row * n + k, n);
    for (int q = 0; q < 4; q++) {
      fragment<matrix_b, 16, 16, 16, __half, row_major> fb;
      load_matrix_sync(fb, b + k * n + col + 16 * q, n);
      mma_sync(sum[q], fa, fb, sum[q]);
    }
  }
  for (int q = 0; q < 4; q++)
    store_matrix_sync(c + row * n + col + 16 * q, sum[q], n, mem_row_major);
}
int main() {
  const int n = 2048;
  __half *a = numbers<__half>(n * n), *b = numbers<__half>(n * n);
  float *c = numbers<float>(n * n);
  timeLaunches("halfproduct,slow", beginClean, [&] {
    slow<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n);
  });
  timeLaunches("halfproduct,fast", beginClean, [&] {
    fast<<<dim3(n / 64, n / 64), dim3(32, 4)>>>(a, b, c, n);
  });
}
