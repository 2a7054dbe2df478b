//===- chebyshev.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A series of Chebyshev's polynomials by cosines of multiples of an angle;
/// cure: their recurrence.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const float *c, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float angle = acosf(x[i]), sum = 0;
  for (int k = 0; k < m; k++)
    sum += c[k] * cosf(k * angle);
  y[i] = sum;
}
__global__ void fast(const float *x, const float *c, float *y, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i], before = v, now = 1, sum = 0;
  for (int k = 0; k < m; k++) {
    sum += c[k] * now;
    float next = 2 * v * now - before;
    before = now;
    now = next;
  }
  y[i] = sum;
}
__global__ void fill(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] = i % 1999 * 0.001f - 0.999f;
}
int main() {
  const int n = 1 << 22, m = 16;
  float *a = numbers<float>(n), *b = numbers<float>(n), *c = numbers<float>(m);
  fill<<<n / 256, 256>>>(a, n);
  timeLaunches("chebyshev,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, c, b, n, m); });
  timeLaunches("chebyshev,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, c, b, n, m); });
}
