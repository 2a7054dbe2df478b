//===- transpose.cu - tile with padding ------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  b[x * w + y] = a[y * w + x];
}
__global__ void fast(const float *a, float *b, int w) {
  __shared__ float t[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    t[threadIdx.y + k][threadIdx.x] = a[(y + k) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    b[(y + k) * w + x] = t[threadIdx.x][threadIdx.y + k];
}
int main() {
  const int w = 4096;
  float *a = zeros<float>(w * w), *b = zeros<float>(w * w);
  timeLaunches("transpose,slow", begin,
               [&] { slow<<<dim3(w / 32, w / 8), dim3(32, 8)>>>(a, b, w); });
  timeLaunches("transpose,fast", begin,
               [&] { fast<<<dim3(w / 32, w / 32), dim3(32, 8)>>>(a, b, w); });
}
