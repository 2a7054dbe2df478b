//===- bfslevel.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One thread per vertex walks its edges; cure: one warp per vertex.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *start, const int *edges, const int *level,
                     int *next, int n, int now) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v < n && level[v] == now) {
    for (int e = start[v]; e < start[v + 1]; e++) {
      int to = edges[e];
      if (level[to] == -1)
        next[to] = now + 1;
    }
  }
}
__global__ void fast(const int *start, const int *edges, const int *level,
                     int *next, int n, int now) {
  int v = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (v < n && level[v] == now) {
    int end = start[v + 1];
    for (int e = start[v] + lane; e < end; e += 32) {
      int to = edges[e];
      if (level[to] == -1)
        next[to] = now + 1;
    }
  }
}
__global__ void fill(int *start, int *edges, int n, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n)
    start[i] = i * degree;
  for (int k = 0; k < degree && i < n; k++) {
    unsigned x = (unsigned)(i * degree + k) * 2654435761u;
    edges[i * degree + k] = ((x ^ x >> 15) * 2246822519u >> 5) % n;
  }
}
int main() {
  const int n = 1 << 17, degree = 64;
  int *start = zeros<int>(n + 1), *edges = zeros<int>(n * degree);
  int *level = zeros<int>(n), *next = zeros<int>(n);
  fill<<<n / 256 + 1, 256>>>(start, edges, n, degree);
  timeLaunches("bfslevel,slow", beginClean, [&] {
    slow<<<n / 256, 256>>>(start, edges, level, next, n, 0);
  });
  timeLaunches("bfslevel,fast", beginClean,
               [&] { fast<<<n / 8, 256>>>(start, edges, level, next, n, 0); });
}
