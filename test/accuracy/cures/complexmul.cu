//===- complexmul.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parts of complex numbers one by one; cure: float2.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *b, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float re = a[2 * i] * b[2 * i] - a[2 * i + 1] * b[2 * i + 1];
  float im = a[2 * i] * b[2 * i + 1] + a[2 * i + 1] * b[2 * i];
  out[2 * i] = re;
  out[2 * i + 1] = im;
}
__global__ void fast(const float2 *a, const float2 *b, float2 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 x = a[i], y = b[i];
  out[i] = make_float2(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
int main() {
  const int n = 1 << 23;
  float *a = numbers<float>(2 * n), *b = numbers<float>(2 * n);
  float *o = numbers<float>(2 * n);
  timeLaunches("complexmul,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, o, n); });
  timeLaunches("complexmul,fast", beginClean, [&] {
    fast<<<n / 256, 256>>>((float2 *)a, (float2 *)b, (float2 *)o, n);
  });
}
