//===- block_sums.cu - Sums of a block, and of eight -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums of 256 words each, by shuffles: a block lives for one sum, and an SM
// starts blocks no faster. The blocks of the mended kernel make eight sums.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

template <int Sums> __device__ void sumBlocks(float *out, const float *in) {
  __shared__ float warps[Sums][8];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float sum[Sums];
#pragma unroll
  for (int s = 0; s < Sums; ++s)
    sum[s] = in[(blockIdx.x * Sums + s) * 256 + threadIdx.x];
#pragma unroll
  for (int s = 0; s < Sums; ++s)
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
      sum[s] += __shfl_down_sync(~0u, sum[s], step);
  if (lane == 0)
#pragma unroll
    for (int s = 0; s < Sums; ++s)
      warps[s][warp] = sum[s];
  __syncthreads();
  if (warp != 0)
    return;
#pragma unroll
  for (int s = 0; s < Sums; ++s) {
    float x = lane < 8 ? warps[s][lane] : 0;
#pragma unroll
    for (int step = 4; step > 0; step /= 2)
      x += __shfl_down_sync(~0u, x, step);
    if (lane == 0)
      out[blockIdx.x * Sums + s] = x;
  }
}

__global__ void naive(float *out, const float *in) { sumBlocks<1>(out, in); }

__global__ void fixed(float *out, const float *in) { sumBlocks<8>(out, in); }

int main() {
  int size = 1 << 24;
  DeviceArray<float> in(noise(size));
  DeviceArray<float> naiveOut(size / 256), fixedOut(size / 256);
  Pair pair("block_sums");
  while (pair.next("naive"))
    naive<<<size / 256, 256>>>(naiveOut, in);
  while (pair.next("fixed"))
    fixed<<<size / 256 / 8, 256>>>(fixedOut, in);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
