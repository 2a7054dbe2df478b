//===- heat7.cu - a column a thread, planes in registers -------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, int w, int h, int d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int z = blockIdx.z + 1;
  if (x < w - 1 && y < h - 1 && z < d - 1) {
    int i = (z * h + y) * w + x;
    b[i] = 0.4f * a[i] + 0.1f * (a[i - 1] + a[i + 1] + a[i - w] + a[i + w] +
                                 a[i - w * h] + a[i + w * h]);
  }
}
__global__ void fast(const float *__restrict__ a, float *__restrict__ b, int w,
                     int h, int d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1)
    return;
  int i = (1 + blockIdx.z * 16) * w * h + y * w + x;
  float below = a[i - w * h], me = a[i];
  for (int z = 1 + blockIdx.z * 16; z < min(d - 1, 17 + (int)blockIdx.z * 16);
       z++, i += w * h) {
    float above = a[i + w * h];
    b[i] = 0.4f * me +
           0.1f * (a[i - 1] + a[i + 1] + a[i - w] + a[i + w] + below + above);
    below = me;
    me = above;
  }
}
int main() {
  const int w = 512, h = 512, d = 130;
  float *a = numbers<float>(w * h * d), *b = numbers<float>(w * h * d);
  dim3 block(32, 8);
  timeLaunches("heat7,slow", beginClean, [&] {
    slow<<<dim3(w / 32, h / 8, d - 2), block>>>(a, b, w, h, d);
  });
  timeLaunches("heat7,fast", beginClean,
               [&] { fast<<<dim3(w / 32, h / 8, 8), block>>>(a, b, w, h, d); });
}
