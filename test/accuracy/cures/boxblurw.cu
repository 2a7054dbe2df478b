//===- boxblurw.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A weighted mean of 31 rows; cure: eight rows a thread, which keep their
/// words in registers.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__constant__ float weight[31];
__global__ void slow(const float *a, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < 31; k++)
    sum += weight[k] * a[(y + k) * w + x];
  b[y * w + x] = sum;
}
__global__ void fast(const float *a, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = (blockIdx.y * blockDim.y + threadIdx.y) * 8;
  float v[38], sum[8] = {};
#pragma unroll
  for (int k = 0; k < 38; k++)
    v[k] = a[(y + k) * w + x];
#pragma unroll
  for (int k = 0; k < 31; k++)
#pragma unroll
    for (int q = 0; q < 8; q++)
      sum[q] += weight[k] * v[k + q];
#pragma unroll
  for (int q = 0; q < 8; q++)
    b[(y + q) * w + x] = sum[q];
}
int main() {
  const int w = 4096, h = 4096;
  float *a = numbers<float>(w * (h + 32)), *b = numbers<float>(w * h);
  dim3 block(32, 8);
  timeLaunches("boxblurw,slow", beginClean,
               [&] { slow<<<dim3(w / 32, h / 8), block>>>(a, b, w); });
  timeLaunches("boxblurw,fast", beginClean,
               [&] { fast<<<dim3(w / 32, h / 64), block>>>(a, b, w); });
}
