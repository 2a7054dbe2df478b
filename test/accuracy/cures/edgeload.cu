//===- edgeload.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Members of an edge one by one; cure: an aligned structure.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Edge {
  int to;
  float weight;
};
struct alignas(8) Pair {
  int to;
  float weight;
};
template <typename E>
__device__ float relax(const E *edges, const int *pick, const float *dist,
                       int i, int n) {
  float best = 1e30f;
  for (int k = 0; k < 16; k++) {
    E e = edges[pick[k * n + i]];
    best = fminf(best, dist[i] + e.weight * (e.to & 7));
  }
  return best;
}
__global__ void slow(const Edge *edges, const int *pick, const float *dist,
                     float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float best = 1e30f;
  for (int k = 0; k < 16; k++) {
    int p = pick[k * n + i];
    best = fminf(best, dist[i] + edges[p].weight * (edges[p].to & 7));
  }
  out[i] = best;
}
__global__ void fast(const Pair *edges, const int *pick, const float *dist,
                     float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = relax(edges, pick, dist, i, n);
}
__global__ void choose(int *near, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  near[i] = ((x ^ x >> 15) * 2246822519u >> 5) % n;
}
int main() {
  const int n = 1 << 19;
  Edge *e = zeros<Edge>(n);
  float *d = numbers<float>(n), *b = numbers<float>(n);
  int *p = zeros<int>(16 * n);
  choose<<<16 * n / 256, 256>>>(p, n);
  timeLaunches("edgeload,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(e, p, d, b, n); });
  timeLaunches("edgeload,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>((Pair *)e, p, d, b, n); });
}
