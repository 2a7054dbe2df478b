//===- twiddle.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A stage of a Fourier transform that computes its twiddle factors; cure:
/// sincospif, or intrinsics.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float2 *x, int half, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2)
    return;
  int k = i & (half - 1);
  int a = (i - k) * 2 + k, b = a + half;
  float s, c;
  sincosf(-3.14159265f * k / half, &s, &c);
  float2 u = x[a], v = x[b];
  float2 w = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
  x[a] = make_float2(u.x + w.x, u.y + w.y);
  x[b] = make_float2(u.x - w.x, u.y - w.y);
}
__global__ void fast(float2 *x, int half, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2)
    return;
  int k = i & (half - 1);
  int a = (i - k) * 2 + k, b = a + half;
  float s, c;
  __sincosf(-3.14159265f * k / half, &s, &c);
  float2 u = x[a], v = x[b];
  float2 w = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
  x[a] = make_float2(u.x + w.x, u.y + w.y);
  x[b] = make_float2(u.x - w.x, u.y - w.y);
}
int main() {
  const int n = 1 << 22, half = 1 << 10;
  float2 *x = numbers<float2>(n);
  timeLaunches("twiddle,slow", beginClean,
               [&] { slow<<<n / 512, 256>>>(x, half, n); });
  timeLaunches("twiddle,fast", beginClean,
               [&] { fast<<<n / 512, 256>>>(x, half, n); });
}
