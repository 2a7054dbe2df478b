//===- escape.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Constants of double in a loop of floats; cure: suffixes f.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(int *out, int w, float step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float cx = -0.5 + step * x, cy = -0.25 + step * y, zx = 0, zy = 0;
  int k = 0;
  for (; k < 64; k++) {
    float t = zx * zx - zy * zy + cx;
    zy = 2.0 * zx * zy + cy;
    zx = t;
    if (zx * zx + zy * zy > 4.0)
      break;
  }
  out[y * w + x] = k;
}
__global__ void fast(int *out, int w, float step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float cx = -0.5f + step * x, cy = -0.25f + step * y, zx = 0, zy = 0;
  int k = 0;
  for (; k < 64; k++) {
    float t = zx * zx - zy * zy + cx;
    zy = 2.0f * zx * zy + cy;
    zx = t;
    if (zx * zx + zy * zy > 4.0f)
      break;
  }
  out[y * w + x] = k;
}
int main() {
  const int w = 2048;
  int *b = zeros<int>(w * w);
  timeLaunches("escape,slow", beginClean,
               [&] { slow<<<dim3(w / 256, w), 256>>>(b, w, 1e-5f); });
  timeLaunches("escape,fast", beginClean,
               [&] { fast<<<dim3(w / 256, w), 256>>>(b, w, 1e-5f); });
}
