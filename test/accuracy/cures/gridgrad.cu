//===- gridgrad.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The gradient of a sampled grid, a thread for the channels of a point; cure:
/// a thread for each channel.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ void spread(float *to, int x, int y, float fx, float fy, float v,
                       int size) {
  bool left = x >= 0 && x < size, right = x + 1 >= 0 && x + 1 < size;
  bool top = y >= 0 && y < size, bottom = y + 1 >= 0 && y + 1 < size;
  if (left && top)
    atomicAdd(&to[y * size + x], v * (1 - fx) * (1 - fy));
  if (right && top)
    atomicAdd(&to[y * size + x + 1], v * fx * (1 - fy));
  if (left && bottom)
    atomicAdd(&to[(y + 1) * size + x], v * (1 - fx) * fy);
  if (right && bottom)
    atomicAdd(&to[(y + 1) * size + x + 1], v * fx * fy);
}
__global__ void slow(float *in, const float *out, const float2 *grid,
                     int channels, int size, int images) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, plane = size * size;
  if (i >= images * plane)
    return;
  int at = i % plane, n = i / plane;
  float2 g = grid[i];
  float x = (g.x + 1) * 0.5f * (size - 1), y = (g.y + 1) * 0.5f * (size - 1);
  int x0 = (int)floorf(x), y0 = (int)floorf(y);
  for (int c = 0; c < channels; c++)
    spread(in + (n * channels + c) * plane, x0, y0, x - x0, y - y0,
           out[(n * channels + c) * plane + at], size);
}
__global__ void fast(float *in, const float *out, const float2 *grid,
                     int channels, int size, int images) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, plane = size * size;
  if (i >= images * channels * plane)
    return;
  int at = i % plane, n = i / plane / channels;
  float2 g = grid[n * plane + at];
  float x = (g.x + 1) * 0.5f * (size - 1), y = (g.y + 1) * 0.5f * (size - 1);
  int x0 = (int)floorf(x), y0 = (int)floorf(y);
  spread(in + i / plane * plane, x0, y0, x - x0, y - y0, out[i], size);
}
__global__ void fill(float2 *grid, int size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  grid[i] = make_float2(2.f * (i % size) / size - 1,
                        2.f * (i / size % size) / size - 1);
}
int main() {
  const int images = 2, channels = 64, size = 64, points = images * size * size;
  float2 *g = numbers<float2>(points);
  float *o = numbers<float>(points * channels);
  float *i = numbers<float>(points * channels);
  fill<<<points / 256, 256>>>(g, size);
  timeLaunches("gridgrad,slow", beginClean, [&] {
    slow<<<points / 256, 256>>>(i, o, g, channels, size, images);
  });
  timeLaunches("gridgrad,fast", beginClean, [&] {
    fast<<<points * channels / 256, 256>>>(i, o, g, channels, size, images);
  });
}
