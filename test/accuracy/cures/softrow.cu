//===- softrow.cu - a block for each row of a softmax ----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float m = -1e30f, l = 0;
  for (int c = 0; c < cols; c++)
    m = fmaxf(m, a[r * cols + c]);
  for (int c = 0; c < cols; c++)
    l += expf(a[r * cols + c] - m);
  for (int c = 0; c < cols; c++)
    b[r * cols + c] = expf(a[r * cols + c] - m) / l;
}
__global__ void fast(const float *a, float *b, int rows, int cols) {
  int r = blockIdx.x * blockDim.y + threadIdx.y;
  if (r >= rows)
    return;
  float m = -1e30f, l = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    m = fmaxf(m, a[r * cols + c]);
  for (int o = 16; o; o >>= 1)
    m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
  for (int c = threadIdx.x; c < cols; c += 32)
    l += expf(a[r * cols + c] - m);
  for (int o = 16; o; o >>= 1)
    l += __shfl_xor_sync(~0u, l, o);
  for (int c = threadIdx.x; c < cols; c += 32)
    b[r * cols + c] = expf(a[r * cols + c] - m) / l;
}
int main() {
  const int rows = 4096, cols = 1024;
  float *a = numbers<float>(rows * cols), *b = numbers<float>(rows * cols);
  timeLaunches("softrow,slow", beginClean,
               [&] { slow<<<rows / 64, 64>>>(a, b, rows, cols); });
  timeLaunches("softrow,fast", beginClean,
               [&] { fast<<<rows / 4, dim3(32, 4)>>>(a, b, rows, cols); });
}
