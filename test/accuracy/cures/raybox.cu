//===- raybox.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A ray is cut with boxes by six divisions each; cure: by its reciprocals,
/// which do not change.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Box {
  float low[3], high[3];
};
__global__ void slow(const float *from, const float *dir, const Box *boxes,
                     int *hits, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float o[3], d[3];
  for (int k = 0; k < 3; k++) {
    o[k] = from[k * n + i];
    d[k] = dir[k * n + i];
  }
  int hit = 0;
  for (int b = 0; b < count; b++) {
    float near = 0, far = 1e30f;
    for (int k = 0; k < 3; k++) {
      float t0 = (boxes[b].low[k] - o[k]) / d[k];
      float t1 = (boxes[b].high[k] - o[k]) / d[k];
      near = fmaxf(near, fminf(t0, t1));
      far = fminf(far, fmaxf(t0, t1));
    }
    hit += near <= far;
  }
  hits[i] = hit;
}
__global__ void fast(const float *from, const float *dir, const Box *boxes,
                     int *hits, int count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float o[3], d[3];
  for (int k = 0; k < 3; k++) {
    o[k] = from[k * n + i];
    d[k] = 1.0f / dir[k * n + i];
  }
  int hit = 0;
  for (int b = 0; b < count; b++) {
    float near = 0, far = 1e30f;
    for (int k = 0; k < 3; k++) {
      float t0 = (boxes[b].low[k] - o[k]) * d[k];
      float t1 = (boxes[b].high[k] - o[k]) * d[k];
      near = fmaxf(near, fminf(t0, t1));
      far = fminf(far, fmaxf(t0, t1));
    }
    hit += near <= far;
  }
  hits[i] = hit;
}
__global__ void fill(float *from, float *dir) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  from[i] = (unsigned(i) * 2654435761u >> 8) / 16777216.0f;
  dir[i] = (unsigned(i) * 2246822519u >> 8) / 16777216.0f - 0.5001f;
}
int main() {
  const int n = 1 << 20, count = 128;
  float *from = numbers<float>(3 * n), *dir = numbers<float>(3 * n);
  Box *boxes = numbers<Box>(count);
  std::vector<Box> v(count);
  for (int b = 0; b < count; b++)
    for (int k = 0; k < 3; k++) {
      v[b].low[k] = (b * 7 + k) % 11 * 0.1f;
      v[b].high[k] = v[b].low[k] + 0.2f;
    }
  cudaMemcpy(boxes, v.data(), count * sizeof(Box), cudaMemcpyHostToDevice);
  int *hits = zeros<int>(n);
  fill<<<3 * n / 256, 256>>>(from, dir);
  timeLaunches("raybox,slow", beginClean, [&] {
    slow<<<n / 256, 256>>>(from, dir, boxes, hits, count, n);
  });
  timeLaunches("raybox,fast", beginClean, [&] {
    fast<<<n / 256, 256>>>(from, dir, boxes, hits, count, n);
  });
}
