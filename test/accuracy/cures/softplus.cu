//===- softplus.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rounded functions of the mathematical library; cure: intrinsics.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  for (int k = 0; k < 8; k++)
    v = log1pf(expf(v)) - 0.5f;
  b[i] = v;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  for (int k = 0; k < 8; k++)
    v = __logf(1 + __expf(v)) - 0.5f;
  b[i] = v;
}
int main() {
  const int n = 1 << 23;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("softplus,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("softplus,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
