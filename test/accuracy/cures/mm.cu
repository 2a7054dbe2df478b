//===- mm.cu - tile --------------------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, const float *c, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < w; k++)
    s += a[y * w + k] * c[k * w + x];
  b[y * w + x] = s;
}
__global__ void fast(const float *a, const float *c, float *b, int w) {
  __shared__ float p[16][16], q[16][16];
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int t = 0; t < w; t += 16) {
    p[threadIdx.y][threadIdx.x] = a[y * w + t + threadIdx.x];
    q[threadIdx.y][threadIdx.x] = c[(t + threadIdx.y) * w + x];
    __syncthreads();
    for (int k = 0; k < 16; k++)
      s += p[threadIdx.y][k] * q[k][threadIdx.x];
    __syncthreads();
  }
  b[y * w + x] = s;
}
int main() {
  const int w = 1024;
  float *a = zeros<float>(w * w), *c = zeros<float>(w * w),
        *b = zeros<float>(w * w);
  timeLaunches("mm,slow", begin, [&] {
    slow<<<dim3(w / 16, w / 16), dim3(16, 16)>>>(a, c, b, w);
  });
  timeLaunches("mm,fast", begin, [&] {
    fast<<<dim3(w / 16, w / 16), dim3(16, 16)>>>(a, c, b, w);
  });
}
