//===- boxblur.cu - a running sum for neighbors of a row -------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float sum = 0;
  for (int k = 0; k < 31; k++)
    sum += a[(y + k) * w + x];
  b[y * w + x] = sum * (1.0f / 31);
}
__global__ void fast(const float *a, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * 32;
  float sum = 0;
  for (int k = 0; k < 30; k++)
    sum += a[(y + k) * w + x];
  for (int k = 0; k < 32; k++, y++) {
    sum += a[(y + 30) * w + x];
    b[y * w + x] = sum * (1.0f / 31);
    sum -= a[y * w + x];
  }
}
int main() {
  const int w = 4096, h = 4096;
  float *a = numbers<float>(w * (h + 32)), *b = numbers<float>(w * h);
  timeLaunches("boxblur,slow", beginClean,
               [&] { slow<<<dim3(w / 256, h), 256>>>(a, b, w); });
  timeLaunches("boxblur,fast", beginClean,
               [&] { fast<<<dim3(w / 256, h / 32), 256>>>(a, b, w); });
}
