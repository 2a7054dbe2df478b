//===- welford.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Mean and variance are brought up to date by a division for each number;
/// cure: sums, and one division.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, float *mean, float *variance, int steps,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float m = 0, m2 = 0;
  for (int k = 0; k < steps; k++) {
    float v = x[(size_t)k * n + i], d = v - m;
    m += d / (k + 1);
    m2 += d * (v - m);
  }
  mean[i] = m;
  variance[i] = m2 / steps;
}
__global__ void fast(const float *x, float *mean, float *variance, int steps,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float first = x[i], s = 0, s2 = 0;
  for (int k = 0; k < steps; k++) {
    float d = x[(size_t)k * n + i] - first;
    s += d;
    s2 += d * d;
  }
  mean[i] = first + s / steps;
  variance[i] = (s2 - s * s / steps) / steps;
}
__global__ void fill(float *x) {
  size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = (unsigned(i) * 2654435761u >> 8) / 16777216.0f;
}
int main() {
  const int n = 1 << 18, steps = 128;
  float *x = numbers<float>(n * steps), *mean = numbers<float>(n),
        *variance = numbers<float>(n);
  fill<<<n * steps / 256, 256>>>(x);
  timeLaunches("welford,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, mean, variance, steps, n); });
  timeLaunches("welford,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, mean, variance, steps, n); });
}
