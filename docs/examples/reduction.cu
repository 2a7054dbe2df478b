//===- reduction.cu - Divergence and bank conflicts in a sum ---*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums blocks of 256 elements in shared memory, four ways.
//   reduceInterleaved  active lanes thin out inside every warp: divergence
//   reduceStrided      active lanes are packed, but their words are 2s apart:
//                      bank conflicts of growing degree
//   reduceSequential   packed lanes on neighbouring words: neither
//   reduceShuffle      the last five steps without shared memory
//
// Usage: reduction [elements]
//
//===----------------------------------------------------------------------===//

#include "example.h"

constexpr int BlockSize = 256;

__global__ void reduceInterleaved(const float *in, float *sums, int n) {
  __shared__ float partial[BlockSize];
  int tid = threadIdx.x, i = blockIdx.x * BlockSize + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = 1; s < BlockSize; s *= 2) {
    if (tid % (2 * s) == 0)
      partial[tid] += partial[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    sums[blockIdx.x] = partial[0];
}

__global__ void reduceStrided(const float *in, float *sums, int n) {
  __shared__ float partial[BlockSize];
  int tid = threadIdx.x, i = blockIdx.x * BlockSize + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = 1; s < BlockSize; s *= 2) {
    int first = 2 * s * tid;
    if (first < BlockSize)
      partial[first] += partial[first + s];
    __syncthreads();
  }
  if (tid == 0)
    sums[blockIdx.x] = partial[0];
}

__global__ void reduceSequential(const float *in, float *sums, int n) {
  __shared__ float partial[BlockSize];
  int tid = threadIdx.x, i = blockIdx.x * BlockSize + tid;
  partial[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int s = BlockSize / 2; s > 0; s /= 2) {
    if (tid < s)
      partial[tid] += partial[tid + s];
    __syncthreads();
  }
  if (tid == 0)
    sums[blockIdx.x] = partial[0];
}

__global__ void reduceShuffle(const float *in, float *sums, int n) {
  __shared__ float partial[BlockSize / 32];
  int tid = threadIdx.x, i = blockIdx.x * BlockSize + tid;
  float sum = i < n ? in[i] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (tid % 32 == 0)
    partial[tid / 32] = sum;
  __syncthreads();
  if (tid == 0) {
    for (int warp = 1; warp < BlockSize / 32; ++warp)
      sum += partial[warp];
    sums[blockIdx.x] = sum;
  }
}

static bool addsUp(const std::vector<float> &sums, int n) {
  double total = 0;
  for (float sum : sums)
    total += sum;
  return total == n; // every element is 1
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 1 << 24);
  int blocks = (n + BlockSize - 1) / BlockSize;
  DeviceArray<float> in(std::vector<float>(n, 1.0f)), sums(blocks);
  bool right = true;

  reduceInterleaved<<<blocks, BlockSize>>>(in, sums, n);
  finish("reduceInterleaved");
  right &= verdict("reduceInterleaved", addsUp(sums.toHost(), n));

  reduceStrided<<<blocks, BlockSize>>>(in, sums, n);
  finish("reduceStrided");
  right &= verdict("reduceStrided", addsUp(sums.toHost(), n));

  reduceSequential<<<blocks, BlockSize>>>(in, sums, n);
  finish("reduceSequential");
  right &= verdict("reduceSequential", addsUp(sums.toHost(), n));

  reduceShuffle<<<blocks, BlockSize>>>(in, sums, n);
  finish("reduceShuffle");
  right &= verdict("reduceShuffle", addsUp(sums.toHost(), n));
  return right ? 0 : 1;
}
