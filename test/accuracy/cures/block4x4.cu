//===- block4x4.cu - blocks of whole warps for an image --------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const uchar4 *a, float *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  uchar4 p = a[y * w + x];
  b[y * w + x] = 0.299f * p.x + 0.587f * p.y + 0.114f * p.z;
}
int main() {
  const int w = 4096, h = 4096;
  uchar4 *a = zeros<uchar4>(w * h);
  float *b = numbers<float>(w * h);
  timeLaunches("block4x4,slow", beginClean,
               [&] { slow<<<dim3(w / 4, h / 4), dim3(4, 4)>>>(a, b, w, h); });
  timeLaunches("block4x4,fast", beginClean,
               [&] { slow<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, b, w, h); });
}
