//===- warpblocks.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Blocks of one warp, each for a row of 96 numbers; cure: eight warps a block.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *norm) {
  int row = blockIdx.x, lane = threadIdx.x;
  float sum = 0;
  for (int k = lane; k < 96; k += 32)
    sum += in[row * 96 + k] * in[row * 96 + k];
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0)
    norm[row] = sqrtf(sum);
}
__global__ void fast(const float *in, float *norm) {
  int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int k = lane; k < 96; k += 32)
    sum += in[row * 96 + k] * in[row * 96 + k];
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  if (lane == 0)
    norm[row] = sqrtf(sum);
}
int main() {
  const int rows = 1 << 18;
  float *in = numbers<float>(rows * 96), *norm = numbers<float>(rows);
  timeLaunches("warpblocks,slow", beginClean,
               [&] { slow<<<rows, 32>>>(in, norm); });
  timeLaunches("warpblocks,fast", beginClean,
               [&] { fast<<<rows / 8, 256>>>(in, norm); });
}
