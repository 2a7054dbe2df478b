//===- quantbytes.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers are divided by a scale, rounded and stored a byte each; cure: four a
/// thread, and a reciprocal.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const float *scale, signed char *q,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    q[i] = (signed char)fminf(fmaxf(rintf(x[i] / *scale), -127.0f), 127.0f);
}
__device__ signed char quantized(float v, float r) {
  return (signed char)fminf(fmaxf(rintf(v * r), -127.0f), 127.0f);
}
__global__ void fast(const float4 *x, const float *scale, char4 *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4)
    return;
  float r = 1.0f / *scale;
  float4 v = x[i];
  q[i] = make_char4(quantized(v.x, r), quantized(v.y, r), quantized(v.z, r),
                    quantized(v.w, r));
}
__global__ void fill(float *x, float *scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] = (unsigned(i) * 2654435761u >> 8) / 16777216.0f - 0.5f;
  *scale = 0.004f;
}
int main() {
  const int n = 1 << 25;
  float *x = numbers<float>(n), *scale = numbers<float>(1);
  signed char *q = zeros<signed char>(n);
  fill<<<n / 256, 256>>>(x, scale);
  timeLaunches("quantbytes,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, scale, q, n); });
  timeLaunches("quantbytes,fast", beginClean, [&] {
    fast<<<n / 1024, 256>>>((const float4 *)x, scale, (char4 *)q, n);
  });
}
