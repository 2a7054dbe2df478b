//===- edgemessage.cu - A kernel with one finding -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Messages along the edges of a graph, a thread an edge and all its features;
/// cure: a thread a feature of an edge.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *from, const int *to, const float *x, float *out,
                     int edges, int features) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e >= edges)
    return;
  int s = from[e], d = to[e];
  for (int f = 0; f < features; f++)
    atomicAdd(&out[(size_t)d * features + f], x[(size_t)s * features + f]);
}
__global__ void fast(const int *from, const int *to, const float *x, float *out,
                     int edges, int features) {
  int e = blockIdx.x * blockDim.y + threadIdx.y;
  if (e >= edges)
    return;
  int s = from[e], d = to[e];
  for (int f = threadIdx.x; f < features; f += 32)
    atomicAdd(&out[(size_t)d * features + f], x[(size_t)s * features + f]);
}
__global__ void fill(int *from, int *to, int edges, int nodes) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < edges) {
    from[e] = (unsigned)e * 2654435761u % nodes;
    to[e] = ((unsigned)e * 2246822519u >> 3) % nodes;
  }
}
int main() {
  const int edges = 1 << 18, nodes = 1 << 15, features = 64;
  int *from = zeros<int>(edges), *to = zeros<int>(edges);
  float *x = numbers<float>(nodes * features),
        *y = numbers<float>(nodes * features);
  fill<<<edges / 256, 256>>>(from, to, edges, nodes);
  timeLaunches("edgemessage,slow", beginClean, [&] {
    slow<<<edges / 256, 256>>>(from, to, x, y, edges, features);
  });
  timeLaunches("edgemessage,fast", beginClean, [&] {
    fast<<<edges / 8, dim3(32, 8)>>>(from, to, x, y, edges, features);
  });
}
