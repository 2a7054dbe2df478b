//===- nibblesacross.cu - A kernel with one finding ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Packed along one axis, written along the other; cure: a tile.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *packed, const float *scales,
                     float *out, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / k, at = i % k;
  int two = packed[at * (n / 2) + row / 2];
  int code = row & 1 ? two >> 4 : two & 15;
  out[i] = (code - 8) * scales[row];
}
__global__ void fast(const unsigned char *packed, const float *scales,
                     float *out, int n, int k) {
  __shared__ unsigned char tile[64][36];
  int n0 = blockIdx.y * 64, k0 = blockIdx.x * 64;
  int x = threadIdx.x, y = threadIdx.y;
  for (int r = y; r < 64; r += 8)
    tile[r][x] = packed[(k0 + r) * (n / 2) + n0 / 2 + x];
  __syncthreads();
  for (int r = y; r < 64; r += 8)
    for (int c = x; c < 64; c += 32) {
      int two = tile[c][r / 2];
      int code = r & 1 ? two >> 4 : two & 15;
      out[(n0 + r) * k + k0 + c] = (code - 8) * scales[n0 + r];
    }
}
int main() {
  const int n = 2048, k = 4096;
  unsigned char *p = zeros<unsigned char>(n * k / 2);
  float *s = numbers<float>(n), *o = numbers<float>(n * k);
  timeLaunches("nibblesacross,slow", beginClean,
               [&] { slow<<<n * k / 256, 256>>>(p, s, o, n, k); });
  timeLaunches("nibblesacross,fast", beginClean, [&] {
    fast<<<dim3(k / 64, n / 64), dim3(32, 8)>>>(p, s, o, n, k);
  });
}
