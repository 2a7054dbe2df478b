//===- sharedbody.cu - structs of eight floats in shared memory *- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Particle {
  float x, y, z, vx, vy, vz, q, m;
};
__global__ void slow(const float *in, float *out, int steps) {
  __shared__ Particle p[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  p[t].x = in[i];
  p[t].vx = 1.0f;
  p[t].m = 0.5f;
  __syncthreads();
  float f = 0;
  for (int s = 0; s < steps; s++) {
    int o = (t + s) & 127;
    f += p[o].x * p[o].m + p[o].vx;
  }
  out[i] = f;
}
__global__ void fast(const float *in, float *out, int steps) {
  __shared__ float x[128], vx[128], m[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  x[t] = in[i];
  vx[t] = 1.0f;
  m[t] = 0.5f;
  __syncthreads();
  float f = 0;
  for (int s = 0; s < steps; s++) {
    int o = (t + s) & 127;
    f += x[o] * m[o] + vx[o];
  }
  out[i] = f;
}
int main() {
  const int n = 1 << 20;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("sharedbody,slow", beginClean,
               [&] { slow<<<n / 128, 128>>>(a, b, 64); });
  timeLaunches("sharedbody,fast", beginClean,
               [&] { fast<<<n / 128, 128>>>(a, b, 64); });
}
