//===- pushrank.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each vertex adds its share to those that it leads to by atomics; cure: each
/// gathers from those that lead to it.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *begin, const int *to, const float *rank,
                     float *next, int vertices) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices)
    return;
  int first = begin[v], last = begin[v + 1];
  float share = rank[v] / (last - first);
  for (int e = first; e < last; e++)
    atomicAdd(&next[to[e]], share);
}
__global__ void fast(const int *begin, const int *from, const float *share,
                     float *next, int vertices) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= vertices)
    return;
  float sum = 0;
  for (int e = begin[v]; e < begin[v + 1]; e++)
    sum += share[from[e]];
  next[v] = sum;
}
__global__ void fill(int *begin, int *to, int vertices, int each) {
  int v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v <= vertices)
    begin[v] = v * each;
  if (v < vertices)
    for (int k = 0; k < each; k++)
      to[v * each + k] =
          ((unsigned)(v * each + k) * 2654435761u >> 7) % vertices;
}
int main() {
  const int vertices = 1 << 19, each = 8;
  int *begin = zeros<int>(vertices + 1), *to = zeros<int>(vertices * each);
  float *rank = numbers<float>(vertices), *next = numbers<float>(vertices);
  fill<<<vertices / 256 + 1, 256>>>(begin, to, vertices, each);
  timeLaunches("pushrank,slow", beginClean, [&] {
    slow<<<vertices / 256, 256>>>(begin, to, rank, next, vertices);
  });
  timeLaunches("pushrank,fast", beginClean, [&] {
    fast<<<vertices / 256, 256>>>(begin, to, rank, next, vertices);
  });
}
