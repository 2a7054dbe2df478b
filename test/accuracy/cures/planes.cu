//===- planes.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread for a pixel of all planes; cure: blocks share the planes.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float sample(const float *in, int w, float x, float y) {
  int x0 = (int)x, y0 = (int)y;
  float fx = x - x0, fy = y - y0;
  const float *p = in + y0 * w + x0;
  return (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) +
         fy * ((1 - fx) * p[w] + fx * p[w + 1]);
}
__global__ void slow(const float *in, float *out, int w, int to, int planes) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = float(w - 1) / to;
  for (int p = 0; p < planes; p++)
    out[(p * to + y) * to + x] = sample(in + p * w * w, w, x * s, y * s);
}
__global__ void fast(const float *in, float *out, int w, int to, int planes) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = float(w - 1) / to;
  for (int p = blockIdx.z; p < planes; p += gridDim.z)
    out[(p * to + y) * to + x] = sample(in + p * w * w, w, x * s, y * s);
}
int main() {
  const int w = 48, to = 64, planes = 1024;
  float *a = numbers<float>(w * w * planes),
        *b = numbers<float>(to * to * planes);
  timeLaunches("planes,slow", beginClean,
               [&] { slow<<<dim3(2, 8), dim3(32, 8)>>>(a, b, w, to, planes); });
  timeLaunches("planes,fast", beginClean, [&] {
    fast<<<dim3(2, 8, planes), dim3(32, 8)>>>(a, b, w, to, planes);
  });
  timeLaunches("planes,turns", beginClean, [&] {
    fast<<<dim3(2, 8, 66), dim3(32, 8)>>>(a, b, w, to, planes);
  });
}
