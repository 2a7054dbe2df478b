//===- relaxmin.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The nearest of the edges that lead to a vertex by an atomic of each edge;
/// cure: only of edges that are nearer than what is there.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *to, const int *length, int *nearest, int n) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < n)
    atomicMin(&nearest[to[e]], length[e]);
}
__global__ void fast(const int *to, const int *length, int *nearest, int n) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < n && length[e] < nearest[to[e]])
    atomicMin(&nearest[to[e]], length[e]);
}
__global__ void fill(int *to, int *length) {
  unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  to[e] = e * 2654435761u >> 18;
  length[e] = e * 2246822519u >> 1;
}
int main() {
  const int vertices = 1 << 14, n = 1 << 22;
  int *to = zeros<int>(n), *length = zeros<int>(n);
  int *nearest = zeros<int>(vertices);
  fill<<<n / 256, 256>>>(to, length);
  timeLaunches("relaxmin,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(to, length, nearest, n); });
  timeLaunches("relaxmin,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(to, length, nearest, n); });
}
