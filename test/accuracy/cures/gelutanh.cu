//===- gelutanh.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// tanhf of each element of halves in L2; cure: tanh.approx.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float approx(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__global__ void slow(const float4 *x, float4 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = x[i];
  float *p = &v.x;
#pragma unroll
  for (int k = 0; k < 4; k++)
    p[k] = 0.5f * p[k] *
           (1 + tanhf(0.7978845608f * (p[k] + 0.044715f * p[k] * p[k] * p[k])));
  y[i] = v;
}
__global__ void fast(const float4 *x, float4 *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = x[i];
  float *p = &v.x;
#pragma unroll
  for (int k = 0; k < 4; k++)
    p[k] =
        0.5f * p[k] *
        (1 + approx(0.7978845608f * (p[k] + 0.044715f * p[k] * p[k] * p[k])));
  y[i] = v;
}
int main() {
  const int n = 1 << 23;
  float *x = numbers<float>(n), *y = numbers<float>(n);
  timeLaunches("gelutanh,slow", beginClean,
               [&] { slow<<<n / 1024, 256>>>((float4 *)x, (float4 *)y); });
  timeLaunches("gelutanh,fast", beginClean,
               [&] { fast<<<n / 1024, 256>>>((float4 *)x, (float4 *)y); });
}
