//===- pow15.cu - A kernel with one finding -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A power of three halves; cure: the number times its root.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *r2, const float *m, float *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    f[i] = m[i] / powf(r2[i] + 0.01f, 1.5f);
}
__global__ void fast(const float *r2, const float *m, float *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float v = r2[i] + 0.01f;
    f[i] = m[i] / (v * sqrtf(v));
  }
}
__global__ void fill(float *a, float *b) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = (unsigned(i) * 2654435761u >> 8) / 16777216.0f * 8;
  b[i] = 1 + i % 7;
}
int main() {
  const int n = 1 << 24;
  float *a = numbers<float>(n), *b = numbers<float>(n), *c = numbers<float>(n);
  fill<<<n / 256, 256>>>(a, b);
  timeLaunches("pow15,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, c, n); });
  timeLaunches("pow15,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, c, n); });
}
