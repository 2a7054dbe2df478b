//===- pivot.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rows of a small matrix change places by index; cure: by selections.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float m[4][5];
  int order[4];
  for (int r = 0; r < 4; r++) {
    order[r] = r;
    for (int c = 0; c < 5; c++)
      m[r][c] = in[(r * 5 + c) * n + i];
  }
  for (int k = 0; k < 4; k++) {
    int best = k;
    for (int r = k + 1; r < 4; r++)
      if (fabsf(m[order[r]][k]) > fabsf(m[order[best]][k]))
        best = r;
    int t = order[k];
    order[k] = order[best];
    order[best] = t;
    for (int r = k + 1; r < 4; r++) {
      float f = __fdividef(m[order[r]][k], m[order[k]][k]);
      for (int c = k; c < 5; c++)
        m[order[r]][c] -= f * m[order[k]][c];
    }
  }
  for (int k = 3; k >= 0; k--) {
    float v = m[order[k]][4];
    for (int c = k + 1; c < 4; c++)
      v -= m[order[k]][c] * m[order[c]][4];
    m[order[k]][4] = __fdividef(v, m[order[k]][k]);
    out[k * n + i] = m[order[k]][4];
  }
}
__global__ void fast(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float m[4][5];
#pragma unroll
  for (int r = 0; r < 4; r++)
#pragma unroll
    for (int c = 0; c < 5; c++)
      m[r][c] = in[(r * 5 + c) * n + i];
#pragma unroll
  for (int k = 0; k < 4; k++) {
#pragma unroll
    for (int r = k + 1; r < 4; r++) {
      bool swap = fabsf(m[r][k]) > fabsf(m[k][k]);
#pragma unroll
      for (int c = k; c < 5; c++) {
        float a = m[k][c], b = m[r][c];
        m[k][c] = swap ? b : a;
        m[r][c] = swap ? a : b;
      }
    }
#pragma unroll
    for (int r = k + 1; r < 4; r++) {
      float f = __fdividef(m[r][k], m[k][k]);
#pragma unroll
      for (int c = k; c < 5; c++)
        m[r][c] -= f * m[k][c];
    }
  }
#pragma unroll
  for (int k = 3; k >= 0; k--) {
    float v = m[k][4];
#pragma unroll
    for (int c = k + 1; c < 4; c++)
      v -= m[k][c] * m[c][4];
    m[k][4] = __fdividef(v, m[k][k]);
    out[k * n + i] = m[k][4];
  }
}
__global__ void fill(float *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i * 2654435761u;
  a[i] = ((x ^ x >> 15) * 2246822519u >> 16) * 1e-4f + 1;
}
int main() {
  const int n = 1 << 20;
  float *a = numbers<float>(20 * n), *b = numbers<float>(4 * n);
  fill<<<20 * n / 256, 256>>>(a);
  timeLaunches("pivot,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("pivot,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n); });
}
