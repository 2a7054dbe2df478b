//===- fir.cu - A kernel with one finding ---------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A filter of 31 taps, one output a thread; cure: four, whose words stay in
/// registers.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const float *taps, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int k = 0; k < 31; k++)
    sum += taps[k] * x[i + k];
  y[i] = sum;
}
__global__ void fast(const float4 *__restrict__ x,
                     const float *__restrict__ taps, float4 *__restrict__ y,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 4)
    return;
  float w[36], sum[4] = {};
#pragma unroll
  for (int k = 0; k < 9; k++) {
    float4 q = x[i + k];
    w[4 * k] = q.x, w[4 * k + 1] = q.y, w[4 * k + 2] = q.z, w[4 * k + 3] = q.w;
  }
#pragma unroll
  for (int k = 0; k < 31; k++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      sum[j] += taps[k] * w[j + k];
  y[i] = make_float4(sum[0], sum[1], sum[2], sum[3]);
}
int main() {
  const int n = 1 << 24;
  float *x = numbers<float>(n + 64), *t = numbers<float>(64),
        *y = numbers<float>(n);
  timeLaunches("fir,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(x, t, y, n); });
  timeLaunches("fir,fast", beginClean, [&] {
    fast<<<n / 1024, 256>>>((float4 *)x, t, (float4 *)y, n);
  });
}
