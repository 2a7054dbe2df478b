//===- sparserow.cu - a warp a sparse row in place of a thread -*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *first, const int *col, const float *v,
                     const float *x, float *y, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float sum = 0;
    for (int k = first[r]; k < first[r + 1]; k++)
      sum += v[k] * x[col[k]];
    y[r] = sum;
  }
}
__global__ void fast(const int *first, const int *col, const float *v,
                     const float *x, float *y, int rows) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (r < rows) {
    float sum = 0;
    for (int k = first[r] + lane; k < first[r + 1]; k += 32)
      sum += v[k] * x[col[k]];
    for (int d = 16; d > 0; d /= 2)
      sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0)
      y[r] = sum;
  }
}
int main() {
  const int rows = 1 << 16;
  std::vector<int> first(rows + 1), col;
  unsigned x = 1;
  for (int r = 0; r < rows; r++) {
    first[r] = col.size();
    x = x * 1664525 + 1013904223;
    int length = x >> 24 ? 32 + (x >> 26) : 1024;
    for (int k = 0; k < length; k++) {
      x = x * 1664525 + 1013904223;
      col.push_back(x >> 16);
    }
  }
  first[rows] = col.size();
  int *f = zeros<int>(rows + 1), *c = zeros<int>(col.size());
  cudaMemcpy(f, first.data(), 4 * (rows + 1), cudaMemcpyHostToDevice);
  cudaMemcpy(c, col.data(), 4 * col.size(), cudaMemcpyHostToDevice);
  float *v = numbers<float>(col.size()), *in = numbers<float>(rows);
  float *y = numbers<float>(rows);
  timeLaunches("sparserow,slow", beginClean,
               [&] { slow<<<rows / 256, 256>>>(f, c, v, in, y, rows); });
  timeLaunches("sparserow,fast", beginClean,
               [&] { fast<<<rows / 8, 256>>>(f, c, v, in, y, rows); });
}
