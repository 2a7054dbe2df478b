//===- interptab.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Linear interpolation behind a binary search of 1024 ascending places in
/// global memory; cure: the table in shared memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *xs, const float *ys, const float *q,
                     float *out, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = q[i];
  int lo = 0, hi = m - 1;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (xs[mid] <= x)
      lo = mid;
    else
      hi = mid;
  }
  float t = (x - xs[lo]) / (xs[hi] - xs[lo]);
  out[i] = ys[lo] + t * (ys[hi] - ys[lo]);
}
__global__ void fast(const float *xs, const float *ys, const float *q,
                     float *out, int n, int m) {
  __shared__ float sx[1024], sy[1024];
  for (int k = threadIdx.x; k < m; k += blockDim.x) {
    sx[k] = xs[k];
    sy[k] = ys[k];
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float x = q[i];
    int lo = 0, hi = m - 1;
    while (hi - lo > 1) {
      int mid = (lo + hi) / 2;
      if (sx[mid] <= x)
        lo = mid;
      else
        hi = mid;
    }
    float t = (x - sx[lo]) / (sx[hi] - sx[lo]);
    out[i] = sy[lo] + t * (sy[hi] - sy[lo]);
  }
}
__global__ void fill(float *xs, float *q, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  q[i] = ((x ^ x >> 15) * 2246822519u >> 8) * 5.9e-8f;
  if (i < m)
    xs[i] = i * (1.0f / 1024);
}
int main() {
  const int n = 1 << 22, m = 1024;
  float *xs = numbers<float>(m), *ys = numbers<float>(m),
        *q = numbers<float>(n), *o = numbers<float>(n);
  fill<<<n / 256, 256>>>(xs, q, n, m);
  timeLaunches("interptab,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(xs, ys, q, o, n, m); });
  timeLaunches("interptab,fast", beginClean,
               [&] { fast<<<132 * 8, 256>>>(xs, ys, q, o, n, m); });
}
