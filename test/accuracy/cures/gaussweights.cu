//===- gaussweights.cu - A kernel with one finding ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Weights computed for each pixel; cure: a table.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int w, float s) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float sum = 0, all = 0;
  for (int k = -4; k <= 4; k++) {
    float g = expf(-k * k / (2 * s * s));
    int at = min(max(x + k, 0), w - 1);
    sum += g * a[y * w + at];
    all += g;
  }
  b[y * w + x] = sum / all;
}
__global__ void fast(const float *a, const float *g, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float sum = 0;
  for (int k = -4; k <= 4; k++) {
    int at = min(max(x + k, 0), w - 1);
    sum += g[k + 4] * a[y * w + at];
  }
  b[y * w + x] = sum;
}
int main() {
  const int w = 4096;
  float *a = numbers<float>(w * w), *b = numbers<float>(w * w);
  float *g = numbers<float>(9);
  timeLaunches("gaussweights,slow", beginClean,
               [&] { slow<<<dim3(w / 256, w), 256>>>(a, b, w, 1.5f); });
  timeLaunches("gaussweights,fast", beginClean,
               [&] { fast<<<dim3(w / 256, w), 256>>>(a, g, b, w); });
}
