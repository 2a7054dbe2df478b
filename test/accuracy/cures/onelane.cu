//===- onelane.cu - one value for the lanes of a block ---------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *g, float *b, int cols) {
  const float *in = a + blockIdx.x * cols;
  float s = 0;
  for (int c = 0; c < cols; c++)
    s += in[c] * in[c];
  float k = rsqrtf(s / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    b[blockIdx.x * cols + c] = in[c] * k * g[c];
}
__global__ void fast(const float *a, const float *g, float *b, int cols) {
  __shared__ float part[8];
  const float *in = a + blockIdx.x * cols;
  float s = 0;
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    s += in[c] * in[c];
  for (int o = 16; o; o >>= 1)
    s += __shfl_xor_sync(~0u, s, o);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = s;
  __syncthreads();
  s = 0;
  for (int w = 0; w < 8; w++)
    s += part[w];
  float k = rsqrtf(s / cols + 1e-6f);
  for (int c = threadIdx.x; c < cols; c += blockDim.x)
    b[blockIdx.x * cols + c] = in[c] * k * g[c];
}
int main() {
  const int rows = 2048, cols = 2048;
  float *a = numbers<float>(rows * cols), *g = numbers<float>(cols),
        *b = numbers<float>(rows * cols);
  timeLaunches("onelane,slow", beginClean,
               [&] { slow<<<rows, 256>>>(a, g, b, cols); });
  timeLaunches("onelane,fast", beginClean,
               [&] { fast<<<rows, 256>>>(a, g, b, cols); });
}
