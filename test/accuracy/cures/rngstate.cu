//===- rngstate.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The state of a generator stays in memory for each step; cure: a local
/// copy.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct State {
  unsigned x, y, z, w;
};
__device__ unsigned step(State *s) {
  unsigned t = s->x ^ (s->x << 11);
  s->x = s->y;
  s->y = s->z;
  s->z = s->w;
  return s->w = s->w ^ (s->w >> 19) ^ t ^ (t >> 8);
}
__global__ void slow(State *states, int *inside, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < steps; k++) {
    float x = step(&states[i]) * 2.3283064e-10f;
    float y = step(&states[i]) * 2.3283064e-10f;
    if (x * x + y * y < 1.0f)
      inside[i]++;
  }
}
__global__ void fast(State *states, int *inside, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, hits = 0;
  State s = states[i];
  for (int k = 0; k < steps; k++) {
    float x = step(&s) * 2.3283064e-10f;
    float y = step(&s) * 2.3283064e-10f;
    if (x * x + y * y < 1.0f)
      hits++;
  }
  states[i] = s;
  inside[i] += hits;
}
__global__ void fill(unsigned *s) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  s[i] = i * 2654435761u + 12345;
}
int main() {
  const int n = 1 << 18, steps = 256;
  State *s = zeros<State>(n);
  int *c = zeros<int>(n);
  fill<<<4 * n / 256, 256>>>((unsigned *)s);
  timeLaunches("rngstate,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(s, c, steps); });
  timeLaunches("rngstate,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(s, c, steps); });
}
