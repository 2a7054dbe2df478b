//===- bitrev.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A permutation by reversed bits; cure: a tile of lines and words.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int bits) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[__brev(i) >> (32 - bits)] = in[i];
}
__global__ void fast(const float *in, float *out, int bits) {
  __shared__ float tile[32][33];
  unsigned mid = blockIdx.x, x = threadIdx.x, shift = bits - 5;
  unsigned to = __brev(mid) >> (32 - (bits - 10)), xr = __brev(x) >> 27;
  for (unsigned y = threadIdx.y; y < 32; y += 8)
    tile[y][x] = in[y << shift | mid << 5 | x];
  __syncthreads();
  for (unsigned y = threadIdx.y; y < 32; y += 8)
    out[y << shift | to << 5 | x] = tile[xr][__brev(y) >> 27];
}
int main() {
  const int bits = 24, n = 1 << bits;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("bitrev,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, bits); });
  timeLaunches("bitrev,fast", beginClean,
               [&] { fast<<<n / 1024, dim3(32, 8)>>>(a, b, bits); });
}
