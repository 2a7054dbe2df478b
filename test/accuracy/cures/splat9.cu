//===- splat9.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each pixel is added to the nine around it by atomics; cure: each gathers the
/// nine.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, const float *weight, float *out, int w,
                     int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1)
    return;
  float v = in[y * w + x];
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      atomicAdd(&out[(y + dy) * w + x + dx], v * weight[(dy + 1) * 3 + dx + 1]);
}
__global__ void fast(const float *in, const float *weight, float *out, int w,
                     int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1)
    return;
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      sum += in[(y - dy) * w + x - dx] * weight[(dy + 1) * 3 + dx + 1];
  out[y * w + x] += sum;
}
int main() {
  const int w = 4096, h = 2048;
  float *a = numbers<float>(w * h), *b = numbers<float>(w * h),
        *c = numbers<float>(9);
  timeLaunches("splat9,slow", beginClean, [&] {
    slow<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, c, b, w, h);
  });
  timeLaunches("splat9,fast", beginClean, [&] {
    fast<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, c, b, w, h);
  });
}
