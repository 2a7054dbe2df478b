//===- horner.cu - four polynomials at once where warps are few *- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int steps, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float x = a[i], v = x;
    for (int k = 0; k < steps; k++)
      v = v * x + 0.3f;
    b[i] = v;
  }
}
__global__ void fast(const float4 *a, float4 *b, int steps, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float4 x = a[i], v = x;
    for (int k = 0; k < steps; k++) {
      v.x = v.x * x.x + 0.3f;
      v.y = v.y * x.y + 0.3f;
      v.z = v.z * x.z + 0.3f;
      v.w = v.w * x.w + 0.3f;
    }
    b[i] = v;
  }
}
int main() {
  const int n = 132 * 128 * 64;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("horner,slow", beginClean,
               [&] { slow<<<132, 128>>>(a, b, 512, n); });
  timeLaunches("horner,fast", beginClean, [&] {
    fast<<<132, 128>>>((float4 *)a, (float4 *)b, 512, n / 4);
  });
  timeLaunches("horner,blocks", beginClean,
               [&] { slow<<<2112, 128>>>(a, b, 512, n); });
}
