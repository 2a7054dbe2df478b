//===- geodist.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Distances on a sphere in float, by functions and constants of double; cure:
/// those of float.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float2 *a, const float2 *b, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 p = a[i], q = b[i];
  float s = sinf(0.5 * (q.x - p.x)), t = sinf(0.5 * (q.y - p.y));
  float h = s * s + cosf(p.x) * cosf(q.x) * t * t;
  out[i] = 2.0 * 6371.0 * asin(sqrt((double)h));
}
__global__ void fast(const float2 *a, const float2 *b, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 p = a[i], q = b[i];
  float s = sinf(0.5f * (q.x - p.x)), t = sinf(0.5f * (q.y - p.y));
  float h = s * s + cosf(p.x) * cosf(q.x) * t * t;
  out[i] = 2.0f * 6371.0f * asinf(sqrtf(h));
}
__global__ void fill(float2 *a, float2 *b) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = make_float2((i * 2654435761u >> 8) * 0x1p-24f, 0.25f);
  b[i] = make_float2(0.75f, (i * 2246822519u >> 8) * 0x1p-24f);
}
int main() {
  const int n = 1 << 21;
  float2 *a = numbers<float2>(n), *b = numbers<float2>(n);
  float *out = numbers<float>(n);
  fill<<<n / 256, 256>>>(a, b);
  timeLaunches("geodist,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, out, n); });
  timeLaunches("geodist,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, out, n); });
}
