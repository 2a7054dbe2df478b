//===- bodies7.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each thread reads all bodies, structures of seven words, from global memory;
/// cure: what it needs of them in shared memory, a vector each.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Body {
  float x, y, z, vx, vy, vz, mass;
};
__global__ void slow(const Body *bodies, float *ax, float *ay, float *az,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float px = bodies[i].x, py = bodies[i].y, pz = bodies[i].z;
  float fx = 0, fy = 0, fz = 0;
  for (int j = 0; j < n; j++) {
    float dx = bodies[j].x - px, dy = bodies[j].y - py, dz = bodies[j].z - pz;
    float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
    float f = bodies[j].mass * inv * inv * inv;
    fx += f * dx;
    fy += f * dy;
    fz += f * dz;
  }
  ax[i] = fx;
  ay[i] = fy;
  az[i] = fz;
}
__global__ void fast(const Body *bodies, float *ax, float *ay, float *az,
                     int n) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float px = bodies[i].x, py = bodies[i].y, pz = bodies[i].z;
  float fx = 0, fy = 0, fz = 0;
  for (int t = 0; t < n; t += 128) {
    const Body &b = bodies[t + threadIdx.x];
    tile[threadIdx.x] = make_float4(b.x, b.y, b.z, b.mass);
    __syncthreads();
    for (int j = 0; j < 128; j++) {
      float4 q = tile[j];
      float dx = q.x - px, dy = q.y - py, dz = q.z - pz;
      float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float f = q.w * inv * inv * inv;
      fx += f * dx;
      fy += f * dy;
      fz += f * dz;
    }
    __syncthreads();
  }
  ax[i] = fx;
  ay[i] = fy;
  az[i] = fz;
}
int main() {
  const int n = 33792;
  Body *b = numbers<Body>(n);
  float *ax = numbers<float>(n), *ay = numbers<float>(n),
        *az = numbers<float>(n);
  timeLaunches("bodies7,slow", beginClean,
               [&] { slow<<<n / 128, 128>>>(b, ax, ay, az, n); });
  timeLaunches("bodies7,fast", beginClean,
               [&] { fast<<<n / 128, 128>>>(b, ax, ay, az, n); });
}
