//===- polyline4.cu - A kernel with one finding
//----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Three words of a point that all threads read; cure: three float4 for four
/// points.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float3 *__restrict__ p, int count,
                     const float *__restrict__ x, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i], b = x[n + i], c = x[2 * n + i], least = 1e30f;
  for (int k = 0; k < count; k++) {
    float3 q = p[k];
    float d =
        (q.x - a) * (q.x - a) + (q.y - b) * (q.y - b) + (q.z - c) * (q.z - c);
    least = fminf(least, d);
  }
  out[i] = least;
}
__device__ float nearer(float least, float x, float y, float z, float a,
                        float b, float c) {
  return fminf(least,
               (x - a) * (x - a) + (y - b) * (y - b) + (z - c) * (z - c));
}
__global__ void fast(const float4 *__restrict__ p, int count,
                     const float *__restrict__ x, float *__restrict__ out,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i], b = x[n + i], c = x[2 * n + i], least = 1e30f;
  for (int k = 0; k < count / 4; k++) {
    float4 q = p[3 * k], r = p[3 * k + 1], s = p[3 * k + 2];
    least = nearer(least, q.x, q.y, q.z, a, b, c);
    least = nearer(least, q.w, r.x, r.y, a, b, c);
    least = nearer(least, r.z, r.w, s.x, a, b, c);
    least = nearer(least, s.y, s.z, s.w, a, b, c);
  }
  out[i] = least;
}
int main() {
  const int n = 1 << 19, count = 512;
  float4 *p = numbers<float4>(count);
  float *x = numbers<float>(3 * n), *b = numbers<float>(n);
  timeLaunches("polyline4,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>((float3 *)p, count, x, b, n); });
  timeLaunches("polyline4,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(p, count, x, b, n); });
}
