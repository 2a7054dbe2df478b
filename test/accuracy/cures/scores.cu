//===- scores.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Scores of attention, a thread a pair, whose keys lie a row apart; cure:
/// tiles of both in shared memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *q, const float *k, float *s, int n, int d) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int c = 0; c < d; c++)
    sum += q[i * d + c] * k[j * d + c];
  s[(size_t)i * n + j] = sum * 0.125f;
}
__global__ void fast(const float *q, const float *k, float *s, int n, int d) {
  __shared__ float tq[32][33], tk[32][33];
  int x = threadIdx.x, y = threadIdx.y;
  int i = blockIdx.y * 32, j = blockIdx.x * 32;
  float sum[4] = {};
  for (int c = 0; c < d; c += 32) {
    for (int r = 0; r < 32; r += 8) {
      tq[y + r][x] = q[(i + y + r) * d + c + x];
      tk[y + r][x] = k[(j + y + r) * d + c + x];
    }
    __syncthreads();
    for (int e = 0; e < 32; e++)
      for (int r = 0; r < 4; r++)
        sum[r] += tq[y + r * 8][e] * tk[x][e];
    __syncthreads();
  }
  for (int r = 0; r < 4; r++)
    s[(size_t)(i + y + r * 8) * n + j + x] = sum[r] * 0.125f;
}
int main() {
  const int n = 4096, d = 64;
  float *q = numbers<float>(n * d), *k = numbers<float>(n * d);
  float *s = numbers<float>((size_t)n * n);
  timeLaunches("scores,slow", beginClean, [&] {
    slow<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(q, k, s, n, d);
  });
  timeLaunches("scores,fast", beginClean, [&] {
    fast<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(q, k, s, n, d);
  });
}
