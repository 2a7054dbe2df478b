//===- tile8.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A product by tiles of 8 by 8; cure: of 32 by 32.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

template <int T>
__device__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float s[T][T], t[T][T];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float sum = 0;
  for (int m = 0; m < n; m += T) {
    s[y][x] = a[row * n + m + x];
    t[y][x] = b[(m + y) * n + col];
    __syncthreads();
    for (int k = 0; k < T; k++)
      sum += s[y][k] * t[k][x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}
__global__ void slow(const float *a, const float *b, float *c, int n) {
  product<8>(a, b, c, n);
}
__global__ void fast(const float *a, const float *b, float *c, int n) {
  product<32>(a, b, c, n);
}
int main() {
  const int n = 1024;
  float *a = numbers<float>(n * n), *b = numbers<float>(n * n),
        *c = numbers<float>(n * n);
  timeLaunches("tile8,slow", beginClean,
               [&] { slow<<<dim3(n / 8, n / 8), dim3(8, 8)>>>(a, b, c, n); });
  timeLaunches("tile8,fast", beginClean, [&] {
    fast<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n);
  });
}
