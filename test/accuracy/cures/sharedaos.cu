//===- sharedaos.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lanes read structures of 32 bytes in shared memory; cure: an array of each
/// member.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, float *y, int turns) {
  __shared__ float s[256][8];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; k++)
    s[threadIdx.x][k] = x[i + k];
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < turns; t++) {
    int at = (threadIdx.x + t) % 256;
    sum += s[at][0] * s[at][1] + s[at][2];
  }
  y[i] = sum;
}
__global__ void fast(const float *x, float *y, int turns) {
  __shared__ float s[8][256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; k++)
    s[k][threadIdx.x] = x[i + k];
  __syncthreads();
  float sum = 0;
  for (int t = 0; t < turns; t++) {
    int at = (threadIdx.x + t) % 256;
    sum += s[0][at] * s[1][at] + s[2][at];
  }
  y[i] = sum;
}
int main() {
  const int n = 1 << 20;
  float *x = numbers<float>(n + 64), *y = numbers<float>(n);
  timeLaunches("sharedaos,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, y, 128); });
  timeLaunches("sharedaos,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, y, 128); });
}
