//===- rowatom.cu - one atomic for the lanes of a warp in one row *- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *sums, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  float v = a[r * cols + c];
  atomicAdd(&sums[r], v * v);
}
__global__ void fast(const float *a, float *sums, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  float v = a[r * cols + c];
  v *= v;
  for (int o = 16; o; o >>= 1)
    v += __shfl_xor_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&sums[r], v);
}
__global__ void blocks(const float *a, float *sums, int cols) {
  __shared__ float part[8];
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y;
  float v = a[r * cols + c];
  v *= v;
  for (int o = 16; o; o >>= 1)
    v += __shfl_down_sync(~0u, v, o);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    v = 0;
    for (int w = 0; w < 8; w++)
      v += part[w];
    atomicAdd(&sums[r], v);
  }
}
int main() {
  const int rows = 4096, cols = 2048;
  float *a = numbers<float>(rows * cols), *s = numbers<float>(rows);
  timeLaunches("rowatom,slow", beginClean,
               [&] { slow<<<dim3(cols / 256, rows), 256>>>(a, s, cols); });
  timeLaunches("rowatom,fast", beginClean,
               [&] { fast<<<dim3(cols / 256, rows), 256>>>(a, s, cols); });
  timeLaunches("rowatom,blocks", beginClean,
               [&] { blocks<<<dim3(cols / 256, rows), 256>>>(a, s, cols); });
}
