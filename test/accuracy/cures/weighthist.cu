//===- weighthist.cu - A kernel with one finding ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bins of floats in shared memory; cure: of fixed-point numbers.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *bins, int n) {
  __shared__ float s[64];
  if (threadIdx.x < 64)
    s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float v = a[i];
    atomicAdd(&s[(int)v & 63], v);
  }
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
__global__ void fast(const float *a, float *bins, int n) {
  __shared__ unsigned s[64];
  if (threadIdx.x < 64)
    s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float v = a[i];
    atomicAdd(&s[(int)v & 63], (unsigned)(v * 1024));
  }
  __syncthreads();
  if (threadIdx.x < 64)
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x] / 1024.0f);
}
__global__ void fill(float *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i * 2654435761u;
  a[i] = ((x ^ x >> 15) * 2246822519u >> 9) % 64 + 0.5f;
}
int main() {
  const int n = 1 << 22;
  float *a = numbers<float>(n), *b = numbers<float>(64);
  fill<<<n / 256, 256>>>(a);
  timeLaunches("weighthist,slow", beginClean,
               [&] { slow<<<1056, 256>>>(a, b, n); });
  timeLaunches("weighthist,fast", beginClean,
               [&] { fast<<<1056, 256>>>(a, b, n); });
}
