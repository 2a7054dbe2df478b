//===- rowsum.cu - a row a warp in place of a block of one thread *- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *m, float *b, int cols) {
  float sum = 0;
  for (int c = 0; c < cols; c++)
    sum += m[blockIdx.x * cols + c];
  b[blockIdx.x] = sum;
}
__global__ void fast(const float *m, float *b, int cols) {
  float sum = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    sum += m[blockIdx.x * cols + c];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x == 0)
    b[blockIdx.x] = sum;
}
int main() {
  const int rows = 4096, cols = 1024;
  float *m = numbers<float>(rows * cols), *b = numbers<float>(rows);
  timeLaunches("rowsum,slow", beginClean,
               [&] { slow<<<rows, 1>>>(m, b, cols); });
  timeLaunches("rowsum,fast", beginClean,
               [&] { fast<<<rows, 32>>>(m, b, cols); });
}
