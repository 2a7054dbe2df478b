//===- constbytes.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lanes read different words of a table in constant memory; cure: one in
/// shared memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__constant__ float table[256];
__global__ void slow(const unsigned char *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = table[x[i]];
}
__global__ void fast(const unsigned char *x, const float *t, float *y) {
  __shared__ float s[256];
  s[threadIdx.x] = t[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = s[x[i]];
}
__global__ void fill(unsigned char *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = unsigned(i) * 2654435761u >> 24;
}
int main() {
  const int n = 1 << 22;
  auto *x = zeros<unsigned char>(n);
  float *t = numbers<float>(256), *y = numbers<float>(n);
  fill<<<n / 256, 256>>>(x);
  timeLaunches("constbytes,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, y); });
  timeLaunches("constbytes,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, t, y); });
}
