//===- nibbles.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A byte of two values a thread; cure: eight values a thread.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float value(int code, float scale) {
  float v = (code & 7) * 0.5f;
  return (code & 8 ? -v : v) * scale;
}
__global__ void slow(const unsigned char *packed, const float *scales,
                     const float *all, float *out, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / (k / 2), at = i % (k / 2) * 2;
  float scale = scales[(row * k + at) / 16] * *all;
  int two = packed[i];
  out[row * k + at] = value(two & 15, scale);
  out[row * k + at + 1] = value(two >> 4, scale);
}
__global__ void fast(const uint32_t *packed, const float *scales,
                     const float *all, float4 *out, int k) {
  int row = blockIdx.y, i = blockIdx.x * blockDim.x + threadIdx.x;
  float scale = scales[(row * k + 8 * i) / 16] * *all;
  uint32_t c = packed[row * (k / 8) + i];
  float4 *to = out + (row * (k / 8) + i) * 2;
  to[0] = {value(c & 15, scale), value(c >> 4 & 15, scale),
           value(c >> 8 & 15, scale), value(c >> 12 & 15, scale)};
  to[1] = {value(c >> 16 & 15, scale), value(c >> 20 & 15, scale),
           value(c >> 24 & 15, scale), value(c >> 28, scale)};
}
__global__ void advised(const uchar2 *packed, const float *scales,
                        const float *all, float4 *out, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / (k / 4), at = i % (k / 4) * 4;
  float scale = scales[(row * k + at) / 16] * *all;
  uchar2 two = packed[i];
  out[i] = make_float4(value(two.x & 15, scale), value(two.x >> 4, scale),
                       value(two.y & 15, scale), value(two.y >> 4, scale));
}
int main() {
  const int rows = 2048, k = 4096;
  unsigned char *p = zeros<unsigned char>(rows * k / 2);
  float *s = numbers<float>(rows * k / 16), *g = numbers<float>(1),
        *o = numbers<float>(rows * k);
  timeLaunches("nibbles,slow", beginClean,
               [&] { slow<<<rows * k / 512, 256>>>(p, s, g, o, k); });
  timeLaunches("nibbles,fast", beginClean, [&] {
    fast<<<dim3(k / 2048, rows), 256>>>((uint32_t *)p, s, g, (float4 *)o, k);
  });
  timeLaunches("nibbles,advised", beginClean, [&] {
    advised<<<rows * k / 1024, 256>>>((uchar2 *)p, s, g, (float4 *)o, k);
  });
}
