//===- nbody.cu - a reciprocal root in place of a power of 1.5 -*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float4 *p, float4 *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < n; j++) {
    float4 o = p[j];
    float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
    float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    float w = o.w / powf(d2, 1.5f);
    x += dx * w;
    y += dy * w;
    z += dz * w;
  }
  f[i] = make_float4(x, y, z, 0);
}
__global__ void fast(const float4 *p, float4 *f, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float x = 0, y = 0, z = 0;
  for (int j = 0; j < n; j++) {
    float4 o = p[j];
    float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
    float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
    float r = rsqrtf(d2), w = o.w * r * r * r;
    x += dx * w;
    y += dy * w;
    z += dz * w;
  }
  f[i] = make_float4(x, y, z, 0);
}
int main() {
  const int n = 132 * 256;
  float4 *p = numbers<float4>(n), *f = numbers<float4>(n);
  timeLaunches("nbody,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(p, f, n / 8); });
  timeLaunches("nbody,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(p, f, n / 8); });
}
