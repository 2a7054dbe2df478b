//===- lbmaos.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A collision of the lattice Boltzmann method whose nine numbers of a cell lie
/// side by side; cure: an array of each.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__constant__ float weight[9] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                                1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__constant__ float cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
__constant__ float cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};

__global__ void slow(const float *f, float *g, float omega, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v[9], rho = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; k++) {
    v[k] = f[i * 9 + k];
    rho += v[k];
    ux += cx[k] * v[k];
    uy += cy[k] * v[k];
  }
  float scale = __frcp_rn(rho);
  ux *= scale;
  uy *= scale;
  float square = 1.5f * (ux * ux + uy * uy);
  for (int k = 0; k < 9; k++) {
    float c = 3 * (cx[k] * ux + cy[k] * uy);
    float even = weight[k] * rho * (1 + c + 0.5f * c * c - square);
    g[i * 9 + k] = v[k] + omega * (even - v[k]);
  }
}
__global__ void fast(const float *f, float *g, float omega, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v[9], rho = 0, ux = 0, uy = 0;
  for (int k = 0; k < 9; k++) {
    v[k] = f[k * n + i];
    rho += v[k];
    ux += cx[k] * v[k];
    uy += cy[k] * v[k];
  }
  float scale = __frcp_rn(rho);
  ux *= scale;
  uy *= scale;
  float square = 1.5f * (ux * ux + uy * uy);
  for (int k = 0; k < 9; k++) {
    float c = 3 * (cx[k] * ux + cy[k] * uy);
    float even = weight[k] * rho * (1 + c + 0.5f * c * c - square);
    g[k * n + i] = v[k] + omega * (even - v[k]);
  }
}
int main() {
  const int n = 1 << 22;
  float *a = numbers<float>(n * 9), *b = numbers<float>(n * 9);
  timeLaunches("lbmaos,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, 0.8f, n); });
  timeLaunches("lbmaos,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, 0.8f, n); });
}
