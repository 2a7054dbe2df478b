//===- triangle.cu - the long rows of a triangle first ---------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *m, float *b, int n) {
  __shared__ float s[256];
  int r = blockIdx.x, t = threadIdx.x;
  float sum = 0;
  for (int c = t; c <= r * 8; c += 256)
    sum += expf(m[(size_t)(r & 63) * n + c]);
  s[t] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    b[r] = s[0];
}
__global__ void fast(const float *m, float *b, int n) {
  __shared__ float s[256];
  int r = gridDim.x - 1 - blockIdx.x, t = threadIdx.x;
  float sum = 0;
  for (int c = t; c <= r * 8; c += 256)
    sum += expf(m[(size_t)(r & 63) * n + c]);
  s[t] = sum;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    b[r] = s[0];
}
int main() {
  const int rows = 132 * 16, n = 8 * rows;
  float *m = numbers<float>((size_t)64 * n), *b = numbers<float>(rows);
  timeLaunches("triangle,slow", beginClean,
               [&] { slow<<<rows, 256>>>(m, b, n); });
  timeLaunches("triangle,fast", beginClean,
               [&] { fast<<<rows, 256>>>(m, b, n); });
}
