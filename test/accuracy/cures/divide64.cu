//===- divide64.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Coordinates by divisions of 64 bits; cure: of 32.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

template <class T>
__device__ void move(const float *x, float *y, T w, T h, T i) {
  T c = i % w, r = i / w % h, p = i / (w * h);
  y[i] = x[i] * c + r - p;
}
__global__ void slow(const float *x, float *y, long long w, long long h) {
  move<long long>(x, y, w, h, (long long)blockIdx.x * blockDim.x + threadIdx.x);
}
__global__ void fast(const float *x, float *y, int w, int h) {
  move<unsigned>(x, y, w, h, blockIdx.x * blockDim.x + threadIdx.x);
}
int main() {
  const int n = 1 << 22;
  float *x = numbers<float>(n), *y = numbers<float>(n);
  timeLaunches("divide64,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, y, 640, 480); });
  timeLaunches("divide64,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, y, 640, 480); });
}
