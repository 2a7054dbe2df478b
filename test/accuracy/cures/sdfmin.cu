//===- sdfmin.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The least distance to many spheres takes a root for each; cure: of equal
/// spheres, one root behind the loop.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *px, const float *py, const float *pz,
                     const float4 *centres, float *distance, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = px[i], y = py[i], z = pz[i], least = 1e30f;
  for (int s = 0; s < count; s++) {
    float4 c = centres[s];
    float dx = x - c.x, dy = y - c.y, dz = z - c.z;
    least = fminf(least, sqrtf(dx * dx + dy * dy + dz * dz));
  }
  distance[i] = least - 0.1f;
}
__global__ void fast(const float *px, const float *py, const float *pz,
                     const float4 *centres, float *distance, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = px[i], y = py[i], z = pz[i], least = 1e30f;
  for (int s = 0; s < count; s++) {
    float4 c = centres[s];
    float dx = x - c.x, dy = y - c.y, dz = z - c.z;
    least = fminf(least, dx * dx + dy * dy + dz * dz);
  }
  distance[i] = sqrtf(least) - 0.1f;
}
__global__ void fill(float *p, float4 *c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i] = (unsigned(i) * 2654435761u >> 8) / 16777216.0f;
  if (i < 256)
    c[i] = make_float4(i % 7 * 0.1f, i % 11 * 0.1f, i % 13 * 0.1f, 0);
}
int main() {
  const int n = 1 << 20, count = 256;
  float *p = numbers<float>(3 * n), *d = numbers<float>(n);
  float4 *c = numbers<float4>(count);
  fill<<<3 * n / 256, 256>>>(p, c);
  timeLaunches("sdfmin,slow", beginClean, [&] {
    slow<<<n / 256, 256>>>(p, p + n, p + 2 * n, c, d, count, n);
  });
  timeLaunches("sdfmin,fast", beginClean, [&] {
    fast<<<n / 256, 256>>>(p, p + n, p + 2 * n, c, d, count, n);
  });
}
