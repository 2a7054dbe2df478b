//===- deposit.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The charge of particles is added to the cell of a grid of 32 by 32 in which
/// they are; cure: a copy of the grid in the shared memory of each block first.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

constexpr int Side = 32;

__global__ void slow(const float2 *at, const float *charge, float *cells,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int x = at[i].x * Side, y = at[i].y * Side;
    atomicAdd(&cells[y * Side + x], charge[i]);
  }
}
__global__ void fast(const float2 *at, const float *charge, float *cells,
                     int n) {
  __shared__ float own[Side * Side];
  for (int k = threadIdx.x; k < Side * Side; k += blockDim.x)
    own[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int x = at[i].x * Side, y = at[i].y * Side;
    atomicAdd(&own[y * Side + x], charge[i]);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < Side * Side; k += blockDim.x)
    atomicAdd(&cells[k], own[k]);
}
__global__ void fill(float2 *at) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  at[i].x = (i * 2654435761u >> 8) * 0x1p-24f;
  at[i].y = (i * 2246822519u >> 8) * 0x1p-24f;
}
int main() {
  const int n = 1 << 22;
  float2 *at = numbers<float2>(n);
  float *charge = numbers<float>(n), *cells = numbers<float>(Side * Side);
  fill<<<n / 256, 256>>>(at);
  timeLaunches("deposit,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(at, charge, cells, n); });
  timeLaunches("deposit,fast", beginClean,
               [&] { fast<<<528, 256>>>(at, charge, cells, n); });
}
