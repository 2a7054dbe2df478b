//===- nchw.cu - a grid of three dimensions in place of divisions *- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *g, float *b, int n, int c,
                     int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * c * h * w)
    return;
  int x = i % w, y = i / w % h, k = i / (w * h) % c, m = i / (c * h * w);
  b[((m * h + y) * c + k) * w + x] = a[i] * g[k];
}
__global__ void fast(const float *a, const float *g, float *b, int n, int c,
                     int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= w)
    return;
  for (int m = 0; m < n; m++) {
    int k = blockIdx.z;
    b[((m * h + y) * c + k) * w + x] = a[((m * c + k) * h + y) * w + x] * g[k];
  }
}
int main() {
  const int n = 4, c = 64, h = 192, w = 256;
  float *a = numbers<float>(n * c * h * w), *b = numbers<float>(n * c * h * w);
  float *g = numbers<float>(c);
  timeLaunches("nchw,slow", beginClean, [&] {
    slow<<<n * c * h * w / 256, 256>>>(a, g, b, n, c, h, w);
  });
  timeLaunches("nchw,fast", beginClean, [&] {
    fast<<<dim3(w / 256, h, c), 256>>>(a, g, b, n, c, h, w);
  });
}
