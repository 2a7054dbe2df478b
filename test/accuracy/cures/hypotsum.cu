//===- hypotsum.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The lengths of eight complex numbers a thread by hypotf; cure: the root of
/// the sum of squares.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float2 *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 8; k++) {
    float2 v = in[k * n + i];
    sum += hypotf(v.x, v.y);
  }
  out[i] = sum;
}
__global__ void fast(const float2 *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 8; k++) {
    float2 v = in[k * n + i];
    float root;
    asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(v.x * v.x + v.y * v.y));
    sum += root;
  }
  out[i] = sum;
}
__global__ void rounded(const float2 *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 8; k++) {
    float2 v = in[k * n + i];
    sum += __fsqrt_rn(v.x * v.x + v.y * v.y);
  }
  out[i] = sum;
}
__global__ void fill(float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    in[i] = i % 101 * 0.01f + 0.1f;
}
int main() {
  const int n = 1 << 21;
  float *a = numbers<float>(n * 16), *b = numbers<float>(n);
  fill<<<n * 16 / 256, 256>>>(a, n * 16);
  timeLaunches("hypotsum,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>((float2 *)a, b, n); });
  timeLaunches("hypotsum,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>((float2 *)a, b, n); });
  timeLaunches("hypotsum,rounded", beginClean,
               [&] { rounded<<<n / 256, 256>>>((float2 *)a, b, n); });
}
