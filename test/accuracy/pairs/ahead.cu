//===- ahead.cu - Tiles loaded while others are used -----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polynomials at the points of tiles that a block loads into shared memory one
// after the other; all its warps wait at the barrier for the load. The mended
// kernel copies the next tile with cp.async while it uses this one.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

constexpr int Threads = 256;

static __device__ float value(const float *tile, float x) {
  float sum = 0;
#pragma unroll 8
  for (int k = 0; k < 16; ++k)
    sum = sum * x + tile[(threadIdx.x + k) % Threads];
  return sum;
}

__global__ void naive(float *out, const float *in, int tiles) {
  __shared__ float tile[Threads];
  float sum = 0;
  for (int t = 0; t < tiles; ++t) {
    tile[threadIdx.x] =
        in[(t * gridDim.x + blockIdx.x) * Threads + threadIdx.x];
    __syncthreads();
    sum += value(tile, 0.5f);
    __syncthreads();
  }
  out[blockIdx.x * Threads + threadIdx.x] = sum;
}

static __device__ void copyAhead(float *to, const float *from) {
  unsigned shared = unsigned(__cvta_generic_to_shared(to));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared),
               "l"(from)
               : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
}

__global__ void fixed(float *out, const float *in, int tiles) {
  __shared__ float tile[2][Threads];
  const float *from = in + blockIdx.x * Threads + threadIdx.x;
  float sum = 0;
  copyAhead(&tile[0][threadIdx.x], from);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles)
      copyAhead(&tile[(t + 1) % 2][threadIdx.x],
                from + (t + 1) * gridDim.x * Threads);
    if (t + 1 < tiles)
      asm volatile("cp.async.wait_group 1;" ::: "memory");
    else
      asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    sum += value(tile[t % 2], 0.5f);
    __syncthreads();
  }
  out[blockIdx.x * Threads + threadIdx.x] = sum;
}

int main() {
  int blocks = 264, tiles = 128;
  DeviceArray<float> in(noise(std::size_t(blocks) * tiles * Threads));
  DeviceArray<float> naiveOut(blocks * Threads), fixedOut(blocks * Threads);
  Pair pair("ahead");
  while (pair.next("naive"))
    naive<<<blocks, Threads>>>(naiveOut, in, tiles);
  while (pair.next("fixed"))
    fixed<<<blocks, Threads>>>(fixedOut, in, tiles);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
