//===- depthwise.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A point of a depthwise convolution finds its place by divisions; cure: from
/// the grid.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, const float *weight, float *out, int c,
                     int h, int w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int x = i % w, y = i / w % h, channel = i / w / h % c;
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w)
        sum += in[i + dy * w + dx] * weight[channel * 9 + dy * 3 + dx + 4];
  out[i] = sum;
}
__global__ void fast(const float *in, const float *weight, float *out, int c,
                     int h, int w, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  int channel = blockIdx.z, i = (channel * h + y) * w + x;
  if (x >= w)
    return;
  float sum = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (y + dy >= 0 && y + dy < h && x + dx >= 0 && x + dx < w)
        sum += in[i + dy * w + dx] * weight[channel * 9 + dy * 3 + dx + 4];
  out[i] = sum;
}
int main() {
  const int c = 256, h = 224, w = 256, n = c * h * w;
  float *in = numbers<float>(n), *weight = numbers<float>(c * 9),
        *out = numbers<float>(n);
  timeLaunches("depthwise,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(in, weight, out, c, h, w, n); });
  timeLaunches("depthwise,fast", beginClean, [&] {
    fast<<<dim3(1, h, c), 256>>>(in, weight, out, c, h, w, n);
  });
}
