//===- outdegree.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Edges, sorted by where they begin, are counted there; cure: a warp counts
/// runs of one vertex before.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int2 *edge, int *degree, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < edges)
    atomicAdd(&degree[edge[e].x], 1);
}
__global__ void fast(const int2 *edge, int *degree, int edges) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges)
    return;
  int from = edge[e].x;
  unsigned same = __match_any_sync(__activemask(), from);
  if (threadIdx.x % 32 == __ffs(same) - 1)
    atomicAdd(&degree[from], __popc(same));
}
__global__ void fill(int2 *edge, int each) {
  unsigned e = blockIdx.x * blockDim.x + threadIdx.x;
  edge[e] = make_int2(e / each, e * 2654435761u >> 12);
}
int main() {
  const int vertices = 1 << 18, each = 24, edges = vertices * each;
  int2 *edge = zeros<int2>(edges);
  int *degree = zeros<int>(vertices);
  fill<<<edges / 256, 256>>>(edge, each);
  timeLaunches("outdegree,slow", beginClean,
               [&] { slow<<<edges / 256, 256>>>(edge, degree, edges); });
  timeLaunches("outdegree,fast", beginClean,
               [&] { fast<<<edges / 256, 256>>>(edge, degree, edges); });
}
