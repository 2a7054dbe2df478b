//===- expdouble.cu - exp of doubles in code of floats ---------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *weight, const float *dist, float sigma, int count) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < count)
    weight[idx] = exp(-0.5 * dist[idx] * dist[idx] / (sigma * sigma));
}
__global__ void fast(float *weight, const float *dist, float sigma, int count) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < count)
    weight[idx] = expf(-0.5f * dist[idx] * dist[idx] / (sigma * sigma));
}
int main() {
  const int n = 1 << 23;
  float *w = numbers<float>(n), *d = numbers<float>(n);
  timeLaunches("expdouble,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(w, d, 2, n); });
  timeLaunches("expdouble,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(w, d, 2, n); });
}
