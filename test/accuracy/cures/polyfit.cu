//===- polyfit.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Powers in an array of a length that the caller gives; cure: a constant one.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float fit(const float *x, const float *w, int i, int m, float *p) {
  p[0] = 1;
  for (int k = 1; k < m; k++)
    p[k] = p[k - 1] * x[i];
  float sum = 0;
  for (int k = 0; k < m; k++)
    sum += p[m - 1 - k] * w[k];
  return sum;
}
__global__ void slow(const float *x, const float *w, float *y, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float p[16];
  y[i] = fit(x, w, i, m, p);
}
__global__ void fast(const float *x, const float *w, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float p[12];
  y[i] = fit(x, w, i, 12, p);
}
int main() {
  const int n = 1 << 22;
  float *x = numbers<float>(n), *w = numbers<float>(16), *y = numbers<float>(n);
  timeLaunches("polyfit,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, w, y, 12); });
  timeLaunches("polyfit,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, w, y); });
}
