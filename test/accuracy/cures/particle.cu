//===- particle.cu - arrays in place of a structure of 64 bytes *- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Particle {
  float x, y, z, mass, vx, vy, vz, charge;
  float fx, fy, fz, pad[5];
};
__global__ void slow(const Particle *p, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 0.5f * p[i].mass *
           (p[i].vx * p[i].vx + p[i].vy * p[i].vy + p[i].vz * p[i].vz);
}
__global__ void fast(const float *mass, const float *vx, const float *vy,
                     const float *vz, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = 0.5f * mass[i] * (vx[i] * vx[i] + vy[i] * vy[i] + vz[i] * vz[i]);
}
int main() {
  const int n = 1 << 22;
  Particle *p = numbers<Particle>(n);
  float *s = numbers<float>(4 * n), *b = numbers<float>(n);
  timeLaunches("particle,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(p, b, n); });
  timeLaunches("particle,fast", beginClean, [&] {
    fast<<<n / 256, 256>>>(s, s + n, s + 2 * n, s + 3 * n, b, n);
  });
}
