//===- aosupdate.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two of eight members of a structure are moved; cure: an array of each.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Body {
  float x, y, z, vx, vy, vz, mass, charge;
};
__global__ void slow(Body *b, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  b[i].x += dt * b[i].vx;
}
__global__ void fast(float *x, const float *vx, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += dt * vx[i];
}
int main() {
  const int n = 1 << 22;
  Body *b = numbers<Body>(n);
  float *x = numbers<float>(n), *v = numbers<float>(n);
  timeLaunches("aosupdate,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(b, 0.1f); });
  timeLaunches("aosupdate,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(x, v, 0.1f); });
}
