//===- thomas.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread solves a tridiagonal system whose numbers follow each other; cure:
/// systems side by side.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *b, float *c, float *d, int size,
                     int systems) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems)
    return;
  const float *diagonal = b + (size_t)s * size;
  float *upper = c + (size_t)s * size, *right = d + (size_t)s * size;
  float u = 0, r = 0;
  for (int k = 0; k < size; k++) {
    float w = 1.0f / (diagonal[k] - u);
    u = upper[k] = w;
    r = right[k] = (right[k] + r) * w;
  }
  for (int k = size - 2; k >= 0; k--) {
    r = right[k] + upper[k] * r;
    right[k] = r;
  }
}
__global__ void fast(const float *b, float *c, float *d, int size,
                     int systems) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems)
    return;
  float u = 0, r = 0;
  for (int k = 0; k < size; k++) {
    size_t at = (size_t)k * systems + s;
    float w = 1.0f / (b[at] - u);
    u = c[at] = w;
    r = d[at] = (d[at] + r) * w;
  }
  for (int k = size - 2; k >= 0; k--) {
    size_t at = (size_t)k * systems + s;
    r = d[at] + c[at] * r;
    d[at] = r;
  }
}
__global__ void fill(float *b, float *d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i] = 4;
  d[i] = i % 5;
}
int main() {
  const int size = 64, systems = 1 << 17, n = size * systems;
  float *b = numbers<float>(n), *c = numbers<float>(n), *d = numbers<float>(n);
  fill<<<n / 256, 256>>>(b, d);
  timeLaunches("thomas,slow", beginClean,
               [&] { slow<<<systems / 128, 128>>>(b, c, d, size, systems); });
  timeLaunches("thomas,fast", beginClean,
               [&] { fast<<<systems / 128, 128>>>(b, c, d, size, systems); });
}
