//===- adam.cu - powers that all threads share, computed once --*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *p, float *m, float *v, const float *g, float b1,
                     float b2, float rate, int steps, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  for (int t = 1; t <= steps; t++) {
    float gi = g[i];
    m[i] = b1 * m[i] + (1 - b1) * gi;
    v[i] = b2 * v[i] + (1 - b2) * gi * gi;
    float mh = m[i] / (1 - powf(b1, t)), vh = v[i] / (1 - powf(b2, t));
    p[i] -= rate * mh / (sqrtf(vh) + 1e-8f);
  }
}
__global__ void fast(float *p, float *m, float *v, const float *g, float b1,
                     float b2, float rate, const float2 *scale, int steps,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float gi = g[i], mi = m[i], vi = v[i], pi = p[i];
  for (int t = 0; t < steps; t++) {
    float2 s = scale[t];
    mi = b1 * mi + (1 - b1) * gi;
    vi = b2 * vi + (1 - b2) * gi * gi;
    pi -= rate * mi * s.x / (sqrtf(vi * s.y) + 1e-8f);
  }
  p[i] = pi;
  m[i] = mi;
  v[i] = vi;
}
__global__ void draw(float *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  p[i] = 0.1f + ((x ^ x >> 15) * 2246822519u >> 8) * 6e-8f;
}
int main() {
  const int n = 1 << 22, steps = 16;
  float *s = numbers<float>(4 * n);
  float2 *scale = numbers<float2>(steps);
  draw<<<4 * n / 256, 256>>>(s);
  timeLaunches("adam,slow", beginClean, [&] {
    slow<<<n / 256, 256>>>(s, s + n, s + 2 * n, s + 3 * n, 0.9f, 0.999f, 1e-3f,
                           steps, n);
  });
  timeLaunches("adam,fast", beginClean, [&] {
    fast<<<n / 256, 256>>>(s, s + n, s + 2 * n, s + 3 * n, 0.9f, 0.999f, 1e-3f,
                           scale, steps, n);
  });
}
