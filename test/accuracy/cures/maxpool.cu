//===- maxpool.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The largest of 2 by 2 pixels, four loads of a float; cure: loads of
/// float2, two outputs a thread.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w / 2 || y >= h / 2)
    return;
  float m = -1e30f;
  for (int dy = 0; dy < 2; dy++)
    for (int dx = 0; dx < 2; dx++)
      m = fmaxf(m, in[(2 * y + dy) * w + 2 * x + dx]);
  out[y * (w / 2) + x] = m;
}
__global__ void fast(const float4 *in, float2 *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w / 4 || y >= h / 2)
    return;
  float4 a = in[2 * y * (w / 4) + x], b = in[(2 * y + 1) * (w / 4) + x];
  out[y * (w / 4) + x] = make_float2(fmaxf(fmaxf(a.x, a.y), fmaxf(b.x, b.y)),
                                     fmaxf(fmaxf(a.z, a.w), fmaxf(b.z, b.w)));
}
int main() {
  const int w = 8192, h = 4096;
  float *a = numbers<float>(w * h), *b = numbers<float>(w * h / 4);
  dim3 block(32, 8);
  timeLaunches("maxpool,slow", beginClean,
               [&] { slow<<<dim3(w / 64, h / 16), block>>>(a, b, w, h); });
  timeLaunches("maxpool,fast", beginClean, [&] {
    fast<<<dim3(w / 128, h / 16), block>>>((float4 *)a, (float2 *)b, w, h);
  });
}
