//===- cellindex.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The cell of each particle, with constants of doubles; cure: constants of
/// floats, and a product.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float4 *p, int *cell, int n, int side) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 a = p[i];
  int x = (int)floor((a.x + 0.5) / 0.03125);
  int y = (int)floor((a.y + 0.5) / 0.03125);
  int z = (int)floor((a.z + 0.5) / 0.03125);
  cell[i] = (z * side + y) * side + x;
}
__global__ void fast(const float4 *p, int *cell, int n, int side) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 a = p[i];
  int x = (int)floorf((a.x + 0.5f) * 32.0f);
  int y = (int)floorf((a.y + 0.5f) * 32.0f);
  int z = (int)floorf((a.z + 0.5f) * 32.0f);
  cell[i] = (z * side + y) * side + x;
}
int main() {
  const int n = 1 << 23;
  float4 *p = numbers<float4>(n);
  int *c = zeros<int>(n);
  timeLaunches("cellindex,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(p, c, n, 32); });
  timeLaunches("cellindex,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(p, c, n, 32); });
}
