//===- upsample2.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each pixel becomes four, which are stored one by one; cure: two at a time.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float p = in[y * w + x];
  out[2 * y * (2 * w) + 2 * x] = p;
  out[2 * y * (2 * w) + 2 * x + 1] = p;
  out[(2 * y + 1) * (2 * w) + 2 * x] = p;
  out[(2 * y + 1) * (2 * w) + 2 * x + 1] = p;
}
__global__ void fast(const float *in, float2 *out, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float p = in[y * w + x];
  out[2 * y * w + x] = make_float2(p, p);
  out[(2 * y + 1) * w + x] = make_float2(p, p);
}
int main() {
  const int w = 4096, h = 2048;
  float *in = numbers<float>(w * h), *out = numbers<float>(4 * w * h);
  timeLaunches("upsample2,slow", beginClean,
               [&] { slow<<<dim3(w / 256, h), 256>>>(in, out, w); });
  timeLaunches("upsample2,fast", beginClean,
               [&] { fast<<<dim3(w / 256, h), 256>>>(in, (float2 *)out, w); });
}
