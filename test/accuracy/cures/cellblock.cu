//===- cellblock.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pressure on particles by the 25 cells around each, a block of 25 threads for
/// each; cure: a warp for each, eight in a block.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float2 *force, const float2 *pos, const int *cell,
                     int width, float reach) {
  __shared__ float fx, fy;
  if (threadIdx.x == 0)
    fx = fy = 0;
  __syncthreads();
  float2 p = pos[blockIdx.x];
  int x = (int)p.x - 2 + threadIdx.x % 5, y = (int)p.y - 2 + threadIdx.x / 5;
  if (x >= 0 && y >= 0 && x < width && y < width) {
    int other = cell[y * width + x];
    if (other >= 0) {
      float2 q = pos[other];
      float dx = p.x - q.x, dy = p.y - q.y, d = sqrtf(dx * dx + dy * dy);
      if (d < reach && d > 0) {
        float w = (reach - d) / (d * reach);
        atomicAdd(&fx, dx * w);
        atomicAdd(&fy, dy * w);
      }
    }
  }
  __syncthreads();
  if (threadIdx.x == 0)
    force[blockIdx.x] = make_float2(fx, fy);
}
__global__ void fast(float2 *force, const float2 *pos, const int *cell,
                     int width, float reach, int count) {
  int lane = threadIdx.x % 32, object = blockIdx.x * 8 + threadIdx.x / 32;
  if (object >= count)
    return;
  float2 p = pos[object];
  float fx = 0, fy = 0;
  int x = (int)p.x - 2 + lane % 5, y = (int)p.y - 2 + lane / 5;
  if (lane < 25 && x >= 0 && y >= 0 && x < width && y < width) {
    int other = cell[y * width + x];
    if (other >= 0) {
      float2 q = pos[other];
      float dx = p.x - q.x, dy = p.y - q.y, d = sqrtf(dx * dx + dy * dy);
      if (d < reach && d > 0) {
        float w = (reach - d) / (d * reach);
        fx = dx * w;
        fy = dy * w;
      }
    }
  }
  for (int d = 16; d; d /= 2) {
    fx += __shfl_xor_sync(~0u, fx, d);
    fy += __shfl_xor_sync(~0u, fy, d);
  }
  if (lane == 0)
    force[object] = make_float2(fx, fy);
}
__global__ void clear(int *cell) {
  cell[blockIdx.x * blockDim.x + threadIdx.x] = -1;
}
__global__ void fill(float2 *pos, int *cell, int width, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  unsigned s = unsigned(i) * 2654435761u, x = s >> 12,
           y = (s * 69069u + 1) >> 12;
  pos[i] = make_float2(x % (width * 256) / 256.f, y % (width * 256) / 256.f);
  cell[(int)pos[i].y * width + (int)pos[i].x] = i;
}
int main() {
  const int width = 1024, count = 400000;
  float2 *pos = numbers<float2>(count), *f = numbers<float2>(count);
  int *cell = zeros<int>(width * width);
  clear<<<width * width / 256, 256>>>(cell);
  fill<<<(count + 255) / 256, 256>>>(pos, cell, width, count);
  timeLaunches("cellblock,slow", beginClean,
               [&] { slow<<<count, 25>>>(f, pos, cell, width, 2.f); });
  timeLaunches("cellblock,fast", beginClean, [&] {
    fast<<<count / 8, 256>>>(f, pos, cell, width, 2.f, count);
  });
}
