//===- wavesum.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sines of multiples of two pi; cure: sinpif.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const float *a, float *y, int waves,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int k = 0; k < waves; k++)
    s += a[k] * sinf(6.2831853f * k * x[i]);
  y[i] = s;
}
__global__ void fast(const float *x, const float *a, float *y, int waves,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float s = 0;
  for (int k = 0; k < waves; k++)
    s += a[k] * sinpif(2.0f * k * x[i]);
  y[i] = s;
}
__global__ void fill(float *x, float *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = (unsigned(i) * 2654435761u >> 8) / 16777216.0f;
  if (i < 64)
    a[i] = 1.0f / (1 + i);
}
int main() {
  const int n = 1 << 21;
  float *x = numbers<float>(n), *a = numbers<float>(64), *y = numbers<float>(n);
  fill<<<n / 256, 256>>>(x, a);
  timeLaunches("wavesum,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, a, y, 64, n); });
  timeLaunches("wavesum,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, a, y, 64, n); });
}
