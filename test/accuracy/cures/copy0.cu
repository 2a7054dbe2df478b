//===- copy0.cu - thread 0 copies the table --------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *samples, const float *table, float *out,
                     int n, int entries) {
  __shared__ float lut[256];
  if (threadIdx.x == 0) {
    int e = 0;
    while (e < entries) {
      lut[e] = table[e];
      e++;
    }
  }
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = lut[(int)samples[i] & 255];
}
__global__ void fast(const float *samples, const float *table, float *out,
                     int n, int entries) {
  __shared__ float lut[256];
  for (int e = threadIdx.x; e < entries; e += blockDim.x)
    lut[e] = table[e];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = lut[(int)samples[i] & 255];
}
int main() {
  const int n = 1 << 20;
  float *s = numbers<float>(n), *t = numbers<float>(256),
        *o = numbers<float>(n);
  timeLaunches("copy0,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(s, t, o, n, 256); });
  timeLaunches("copy0,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(s, t, o, n, 256); });
}
