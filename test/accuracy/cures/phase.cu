//===- phase.cu - a remainder in each step of a loop -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *wave, float *out, int n, int period,
                     int hop) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int h = 0; h < 64; ++h)
    s += wave[(i + h * hop) % period];
  out[i] = s;
}
__global__ void fast(const float *wave, float *out, int n, int period,
                     int hop) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  int at = i % period;
  for (int h = 0; h < 64; ++h) {
    s += wave[at];
    at += hop;
    if (at >= period)
      at -= period;
  }
  out[i] = s;
}
int main() {
  const int n = 1 << 20, period = 4099;
  float *w = numbers<float>(period), *o = numbers<float>(n);
  timeLaunches("phase,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(w, o, n, period, 17); });
  timeLaunches("phase,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(w, o, n, period, 17); });
}
