//===- dct8.cu - A kernel with one finding --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// 8x8 cosine transform as the formula says, cosf for each of 64 terms; cure:
/// cosines from a table of the block.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int w) {
  int u = threadIdx.x, v = threadIdx.y;
  int bx = blockIdx.x * 8, by = blockIdx.y * 8;
  float sum = 0;
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      sum += in[(by + y) * w + bx + x] *
             cosf((2 * x + 1) * u * 3.14159265f / 16) *
             cosf((2 * y + 1) * v * 3.14159265f / 16);
  float cu = u == 0 ? 0.70710678f : 1.0f, cv = v == 0 ? 0.70710678f : 1.0f;
  out[(by + v) * w + bx + u] = 0.25f * cu * cv * sum;
}
__global__ void fast(const float *in, float *out, int w) {
  __shared__ float c[8][9], tile[8][9];
  int u = threadIdx.x, v = threadIdx.y;
  int bx = blockIdx.x * 8, by = blockIdx.y * 8;
  c[v][u] = cosf((2 * v + 1) * u * 3.14159265f / 16);
  tile[v][u] = in[(by + v) * w + bx + u];
  __syncthreads();
  float sum = 0;
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      sum += tile[y][x] * c[x][u] * c[y][v];
  float cu = u == 0 ? 0.70710678f : 1.0f, cv = v == 0 ? 0.70710678f : 1.0f;
  out[(by + v) * w + bx + u] = 0.25f * cu * cv * sum;
}
int main() {
  const int w = 2048, h = 2048;
  float *a = numbers<float>(w * h), *b = numbers<float>(w * h);
  timeLaunches("dct8,slow", beginClean,
               [&] { slow<<<dim3(w / 8, h / 8), dim3(8, 8)>>>(a, b, w); });
  timeLaunches("dct8,fast", beginClean,
               [&] { fast<<<dim3(w / 8, h / 8), dim3(8, 8)>>>(a, b, w); });
}
