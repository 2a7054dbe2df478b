//===- chunkmax.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A chunk of 64 words for each thread; cure: threads take them in turns.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, float *most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float m = x[i * 64];
  for (int k = 1; k < 64; k++)
    m = fmaxf(m, x[i * 64 + k]);
  most[i] = m;
}
__global__ void fast(const float *x, float *most, int threads) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float m = x[i];
  for (int k = 1; k < 64; k++)
    m = fmaxf(m, x[k * threads + i]);
  most[i] = m;
}
int main() {
  const int n = 1 << 24;
  float *x = numbers<float>(n), *m = numbers<float>(n / 64);
  timeLaunches("chunkmax,slow", beginClean,
               [&] { slow<<<n / 64 / 256, 256>>>(x, m); });
  timeLaunches("chunkmax,fast", beginClean,
               [&] { fast<<<n / 64 / 256, 256>>>(x, m, n / 64); });
}
