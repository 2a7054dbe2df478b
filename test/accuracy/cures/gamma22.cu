//===- gamma22.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The gamma of pixels by powf; cure: __powf.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float4 *in, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 p = in[i];
    p.x = powf(p.x, 1 / 2.2f);
    p.y = powf(p.y, 1 / 2.2f);
    p.z = powf(p.z, 1 / 2.2f);
    out[i] = p;
  }
}
__global__ void fast(const float4 *in, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float4 p = in[i];
    p.x = __powf(p.x, 1 / 2.2f);
    p.y = __powf(p.y, 1 / 2.2f);
    p.z = __powf(p.z, 1 / 2.2f);
    out[i] = p;
  }
}
__global__ void fill(float4 *in) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = (i * 2654435761u >> 8) * 0x1p-24f;
  in[i] = make_float4(v, v * v, 1 - v, 1);
}
int main() {
  const int n = 1 << 22;
  float4 *in = numbers<float4>(n), *out = numbers<float4>(n);
  fill<<<n / 256, 256>>>(in);
  timeLaunches("gamma22,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(in, out, n); });
  timeLaunches("gamma22,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(in, out, n); });
}
