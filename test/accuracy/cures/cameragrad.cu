//===- cameragrad.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Gradients of three coordinates of few cameras, three atomics of each thread;
/// cure: blocks add up first.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *camera, const float3 *dir, const float *grad,
                     int points) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, cam = blockIdx.y;
  if (i >= points)
    return;
  float3 d = dir[i];
  float g = grad[(size_t)cam * points + i];
  float n = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
  atomicAdd(&camera[cam * 3 + 0], g * d.x * n);
  atomicAdd(&camera[cam * 3 + 1], g * d.y * n);
  atomicAdd(&camera[cam * 3 + 2], g * d.z * n);
}
__global__ void fast(float *camera, const float3 *dir, const float *grad,
                     int points) {
  __shared__ float part[8][3];
  int i = blockIdx.x * blockDim.x + threadIdx.x, cam = blockIdx.y;
  float v[3] = {0, 0, 0};
  if (i < points) {
    float3 d = dir[i];
    float g = grad[(size_t)cam * points + i];
    float n = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
    v[0] = g * d.x * n;
    v[1] = g * d.y * n;
    v[2] = g * d.z * n;
  }
  for (int k = 0; k < 3; k++) {
    for (int d = 16; d; d /= 2)
      v[k] += __shfl_down_sync(~0u, v[k], d);
    if (threadIdx.x % 32 == 0)
      part[threadIdx.x / 32][k] = v[k];
  }
  __syncthreads();
  if (threadIdx.x < 3) {
    float s = 0;
    for (int w = 0; w < 8; w++)
      s += part[w][threadIdx.x];
    atomicAdd(&camera[cam * 3 + threadIdx.x], s);
  }
}
__global__ void fill(float3 *dir, int points) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < points)
    dir[i] = make_float3(i * 1e-6f, 0.5f, 1);
}
int main() {
  const int points = 200000, cams = 8, blocks = (points + 255) / 256;
  float3 *d = numbers<float3>(points);
  float *g = numbers<float>(points * cams), *c = numbers<float>(cams * 3);
  fill<<<blocks, 256>>>(d, points);
  timeLaunches("cameragrad,slow", beginClean,
               [&] { slow<<<dim3(blocks, cams), 256>>>(c, d, g, points); });
  timeLaunches("cameragrad,fast", beginClean,
               [&] { fast<<<dim3(blocks, cams), 256>>>(c, d, g, points); });
}
