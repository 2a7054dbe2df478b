//===- ownrow.cu - rows of shared memory that are one word longer *- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

extern __shared__ float rows[];
__global__ void slow(const float *a, float *b, int len) {
  int first = blockIdx.x * blockDim.x * len;
  for (int k = threadIdx.x; k < blockDim.x * len; k += blockDim.x)
    rows[k] = a[first + k];
  __syncthreads();
  float *own = rows + threadIdx.x * len;
  float before = own[0], t = 0;
  for (int k = 1; k < len - 1; k++) {
    float v = 0.25f * before + 0.5f * own[k] + 0.25f * own[k + 1];
    before = own[k];
    t += v * v;
  }
  b[blockIdx.x * blockDim.x + threadIdx.x] = t;
}
__global__ void fast(const float *a, float *b, int len) {
  int first = blockIdx.x * blockDim.x * len;
  for (int k = threadIdx.x; k < blockDim.x * len; k += blockDim.x)
    rows[k / len * (len + 1) + k % len] = a[first + k];
  __syncthreads();
  float *own = rows + threadIdx.x * (len + 1);
  float before = own[0], t = 0;
  for (int k = 1; k < len - 1; k++) {
    float v = 0.25f * before + 0.5f * own[k] + 0.25f * own[k + 1];
    before = own[k];
    t += v * v;
  }
  b[blockIdx.x * blockDim.x + threadIdx.x] = t;
}
int main() {
  const int n = 1 << 18, len = 64;
  float *a = numbers<float>(n * len), *b = numbers<float>(n);
  timeLaunches("ownrow,slow", beginClean,
               [&] { slow<<<n / 128, 128, 128 * 64 * 4>>>(a, b, len); });
  timeLaunches("ownrow,fast", beginClean,
               [&] { fast<<<n / 128, 128, 128 * 65 * 4>>>(a, b, len); });
}
