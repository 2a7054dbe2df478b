//===- im2col.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An index taken apart by divisions; cure: a grid of three axes.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int w, int h, int k, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int x = i % w, y = i / w % h, kx = i / (w * h) % k, ky = i / (w * h) / k % k;
  int c = i / (w * h) / k / k;
  int sx = x + kx - 1, sy = y + ky - 1;
  float v = 0;
  if (sx >= 0 && sx < w && sy >= 0 && sy < h)
    v = in[(c * h + sy) * w + sx];
  out[i] = v;
}
__global__ void fast(const float *in, float *out, int w, int h, int k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  int c = blockIdx.z;
  for (int ky = 0; ky < k; ky++)
    for (int kx = 0; kx < k; kx++) {
      int sx = x + kx - 1, sy = y + ky - 1;
      float v = 0;
      if (sx >= 0 && sx < w && sy >= 0 && sy < h)
        v = in[(c * h + sy) * w + sx];
      out[(((c * k + ky) * k + kx) * h + y) * w + x] = v;
    }
}
int main() {
  const int w = 256, h = 256, c = 16, n = w * h * c * 9;
  float *a = numbers<float>(w * h * c), *b = numbers<float>(n);
  timeLaunches("im2col,slow", beginClean,
               [&] { slow<<<(n + 255) / 256, 256>>>(a, b, w, h, 3, n); });
  timeLaunches("im2col,fast", beginClean,
               [&] { fast<<<dim3(1, h, c), 256>>>(a, b, w, h, 3); });
}
