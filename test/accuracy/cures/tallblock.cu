//===- tallblock.cu - A kernel with one finding -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Blocks of 2 by 128 threads; cure: of 32 by 8.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *b, float *c, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  c[y * w + x] = sqrtf(a[y * w + x] * a[y * w + x] + b[y * w + x]);
}
int main() {
  const int w = 4096;
  float *a = numbers<float>(w * w), *b = numbers<float>(w * w),
        *c = numbers<float>(w * w);
  timeLaunches("tallblock,slow", beginClean, [&] {
    slow<<<dim3(w / 2, w / 128), dim3(2, 128)>>>(a, b, c, w);
  });
  timeLaunches("tallblock,fast", beginClean,
               [&] { slow<<<dim3(w / 32, w / 8), dim3(32, 8)>>>(a, b, c, w); });
}
