//===- sincosd.cu - sin and cos of doubles in code of floats ---*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float2 *rot, const float *angle, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double w = 2.0 * 3.14159265358979 * angle[i];
    rot[i] = make_float2(cos(w), sin(w));
  }
}
__global__ void fast(float2 *rot, const float *angle, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float w = 2.0f * 3.14159265f * angle[i];
    rot[i] = make_float2(cosf(w), sinf(w));
  }
}
int main() {
  const int n = 1 << 23;
  float2 *r = numbers<float2>(n);
  float *a = numbers<float>(n);
  timeLaunches("sincosd,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(r, a, n); });
  timeLaunches("sincosd,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(r, a, n); });
}
