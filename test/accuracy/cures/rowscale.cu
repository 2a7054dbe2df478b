//===- rowscale.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A division by one number in a loop; cure: its reciprocal.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void ones(float *a) {
  a[blockIdx.x * blockDim.x + threadIdx.x] = 1 + threadIdx.x % 7;
}
__global__ void slow(float *a, const float *scale, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = scale[blockIdx.y];
  for (int k = 0; k < 8; k++) {
    size_t at = ((size_t)blockIdx.y * 8 + k) * rows + i;
    float v = a[at];
    a[at] = (v - 1.0f) / s + (v + 1.0f) / s * v / s;
  }
}
__global__ void fast(float *a, const float *scale, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 1 / scale[blockIdx.y];
  for (int k = 0; k < 8; k++) {
    size_t at = ((size_t)blockIdx.y * 8 + k) * rows + i;
    float v = a[at];
    a[at] = (v - 1.0f) * s + (v + 1.0f) * s * v * s;
  }
}
int main() {
  const int n = 1 << 20;
  float *a = numbers<float>(16 * n), *s = numbers<float>(32);
  ones<<<16 * n / 256, 256>>>(a);
  ones<<<1, 32>>>(s);
  timeLaunches("rowscale,slow", beginClean,
               [&] { slow<<<dim3(n / 256, 2), 256>>>(a, s, n); });
  timeLaunches("rowscale,fast", beginClean,
               [&] { fast<<<dim3(n / 256, 2), 256>>>(a, s, n); });
}
