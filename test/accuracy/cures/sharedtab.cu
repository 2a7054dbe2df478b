//===- sharedtab.cu - a table from shared memory ---------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int4 *a, const float *__restrict__ of, float *b,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t = 0;
  for (int k = 0; k < 8; k++) {
    int4 at = a[k * n + i];
    t += of[at.x & 2047] + of[at.x >> 12 & 2047];
    t += of[at.y & 2047] + of[at.y >> 12 & 2047];
    t += of[at.z & 2047] + of[at.z >> 12 & 2047];
    t += of[at.w & 2047] + of[at.w >> 12 & 2047];
  }
  b[i] = t;
}
__global__ void fast(const int4 *a, const float *__restrict__ of, float *b,
                     int n) {
  __shared__ float s[2048];
  for (int k = threadIdx.x; k < 2048; k += blockDim.x)
    s[k] = of[k];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float t = 0;
  for (int k = 0; k < 8; k++) {
    int4 at = a[k * n + i];
    t += s[at.x & 2047] + s[at.x >> 12 & 2047];
    t += s[at.y & 2047] + s[at.y >> 12 & 2047];
    t += s[at.z & 2047] + s[at.z >> 12 & 2047];
    t += s[at.w & 2047] + s[at.w >> 12 & 2047];
  }
  b[i] = t;
}
__global__ void fill(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  a[i] = (x ^ x >> 15) * 2246822519u >> 4;
}
int main() {
  const int n = 1 << 19;
  int4 *a = zeros<int4>(8 * n);
  float *b = zeros<float>(n), *of = zeros<float>(2048);
  fill<<<32 * n / 256, 256>>>((int *)a);
  timeLaunches("sharedtab,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, of, b, n); });
  timeLaunches("sharedtab,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, of, b, n); });
}
