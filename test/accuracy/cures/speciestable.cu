//===- speciestable.cu - A kernel with one finding ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Members of a small structure that data choose; cure: float4.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Species {
  float mass, charge, radius, depth;
};
__global__ void choose(int *id, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  id[i] = ((x ^ x >> 15) * 2246822519u >> 5) % n;
}
__global__ void slow(const Species *of, const int *kind, const float *r,
                     float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e = 0;
  for (int k = 0; k < 16; k++) {
    int s = kind[k * n + i] & 255;
    float d = r[k * n + i];
    e += of[s].charge * d + of[s].depth * (d - of[s].radius) * of[s].mass;
  }
  out[i] = e;
}
__global__ void fast(const float4 *of, const int *kind, const float *r,
                     float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float e = 0;
  for (int k = 0; k < 16; k++) {
    float4 s = of[kind[k * n + i] & 255];
    float d = r[k * n + i];
    e += s.y * d + s.w * (d - s.z) * s.x;
  }
  out[i] = e;
}
int main() {
  const int n = 1 << 20;
  Species *s = numbers<Species>(256);
  int *k = zeros<int>(16 * n);
  float *r = numbers<float>(16 * n), *b = numbers<float>(n);
  choose<<<16 * n / 256, 256>>>(k, 1 << 20);
  timeLaunches("speciestable,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(s, k, r, b, n); });
  timeLaunches("speciestable,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>((float4 *)s, k, r, b, n); });
}
