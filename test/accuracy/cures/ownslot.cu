//===- ownslot.cu - no barriers around a word that only its thread uses *- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n, int steps) {
  __shared__ float s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t = 0;
  for (int k = 0; k < steps; k++) {
    s[threadIdx.x] = a[k * n + i];
    __syncthreads();
    t += s[threadIdx.x] * 0.5f;
    __syncthreads();
  }
  b[i] = t;
}
__global__ void fast(const float *a, float *b, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t = 0;
  for (int k = 0; k < steps; k++)
    t += a[k * n + i] * 0.5f;
  b[i] = t;
}
int main() {
  const int n = 132 * 256 * 2, steps = 256;
  float *a = numbers<float>(n * steps), *b = numbers<float>(n);
  timeLaunches("ownslot,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n, steps); });
  timeLaunches("ownslot,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n, steps); });
}
