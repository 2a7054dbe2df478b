//===- order.cu - order of a decomposed index ------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, c = i / w, r = i % w;
  b[r * w + c] = a[r * w + c] + 1.0f;
}
__global__ void fast(const float *a, float *b, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, r = i / w, c = i % w;
  b[r * w + c] = a[r * w + c] + 1.0f;
}
int main() {
  const int w = 4096;
  float *a = zeros<float>(w * w), *b = zeros<float>(w * w);
  timeLaunches("order,slow", begin,
               [&] { slow<<<w * w / 256, 256>>>(a, b, w); });
  timeLaunches("order,fast", begin,
               [&] { fast<<<w * w / 256, 256>>>(a, b, w); });
}
