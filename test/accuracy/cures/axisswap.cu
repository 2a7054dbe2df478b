//===- axisswap.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Axes exchanged element by element; cure: a tile in shared memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, float *y, int h, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int r = i / w, c = i % w;
  y[c * h + r] = x[i];
}
__global__ void fast(const float *x, float *y, int h, int w) {
  __shared__ float tile[32][33];
  int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = x[(r + k) * w + c];
  __syncthreads();
  c = blockIdx.x * 32 + threadIdx.y;
  r = blockIdx.y * 32 + threadIdx.x;
  for (int k = 0; k < 32; k += 8)
    y[(c + k) * h + r] = tile[threadIdx.x][threadIdx.y + k];
}
int main() {
  const int h = 2048, w = 4096;
  float *x = numbers<float>(h * w), *y = numbers<float>(h * w);
  timeLaunches("axisswap,slow", beginClean,
               [&] { slow<<<h * w / 256, 256>>>(x, y, h, w); });
  timeLaunches("axisswap,fast", beginClean, [&] {
    fast<<<dim3(w / 32, h / 32), dim3(32, 8)>>>(x, y, h, w);
  });
}
