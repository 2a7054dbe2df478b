//===- rownorm.cu - the norm of a row once a block -------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *m, float *out, int cols) {
  int r = blockIdx.x;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    float norm = 0;
    for (int k = 0; k < cols; k++)
      norm += m[r * cols + k] * m[r * cols + k];
    out[r * cols + c] = m[r * cols + c] / sqrtf(norm + 1e-6f);
  }
}
__global__ void fast(const float *m, float *out, int cols) {
  __shared__ float part[8];
  int r = blockIdx.x, t = threadIdx.x;
  float norm = 0;
  for (int c = t; c < cols; c += 256)
    norm += m[r * cols + c] * m[r * cols + c];
  for (int d = 16; d > 0; d /= 2)
    norm += __shfl_xor_sync(~0u, norm, d);
  if (t % 32 == 0)
    part[t / 32] = norm;
  __syncthreads();
  norm = 0;
  for (int k = 0; k < 8; k++)
    norm += part[k];
  float scale = rsqrtf(norm + 1e-6f);
  for (int c = t; c < cols; c += 256)
    out[r * cols + c] = m[r * cols + c] * scale;
}
int main() {
  const int rows = 4096, cols = 1024;
  float *m = numbers<float>(rows * cols), *out = numbers<float>(rows * cols);
  timeLaunches("rownorm,slow", beginClean,
               [&] { slow<<<rows, 256>>>(m, out, cols); });
  timeLaunches("rownorm,fast", beginClean,
               [&] { fast<<<rows, 256>>>(m, out, cols); });
}
