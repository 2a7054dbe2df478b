//===- matvec.cu - a warp for each row of a matrix -------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *m, const float *v, float *b, int rows,
                     int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  float t = 0;
  for (int c = 0; c < cols; c++)
    t += m[r * cols + c] * v[c];
  b[r] = t;
}
__global__ void fast(const float *m, const float *v, float *b, int rows,
                     int cols) {
  int r = blockIdx.x * blockDim.y + threadIdx.y;
  if (r >= rows)
    return;
  float t = 0;
  for (int c = threadIdx.x; c < cols; c += 32)
    t += m[r * cols + c] * v[c];
  for (int o = 16; o; o >>= 1)
    t += __shfl_xor_sync(~0u, t, o);
  if (threadIdx.x == 0)
    b[r] = t;
}
int main() {
  const int rows = 8192, cols = 2048;
  float *m = numbers<float>(rows * cols), *v = numbers<float>(cols),
        *b = numbers<float>(rows);
  timeLaunches("matvec,slow", beginClean,
               [&] { slow<<<rows / 128, 128>>>(m, v, b, rows, cols); });
  timeLaunches("matvec,fast", beginClean,
               [&] { fast<<<rows / 8, dim3(32, 8)>>>(m, v, b, rows, cols); });
}
