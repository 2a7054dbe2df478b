//===- spread.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each pixel adds to four coarser ones; cure: each coarse one gathers.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *grad, float *coarse, int w, int c) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float g = grad[y * w + x];
  float u = x * (c - 1.0f) / w, v = y * (c - 1.0f) / w;
  int i = (int)u, j = (int)v;
  float fu = u - i, fv = v - j;
  atomicAdd(&coarse[j * c + i], g * (1 - fu) * (1 - fv));
  atomicAdd(&coarse[j * c + i + 1], g * fu * (1 - fv));
  atomicAdd(&coarse[(j + 1) * c + i], g * (1 - fu) * fv);
  atomicAdd(&coarse[(j + 1) * c + i + 1], g * fu * fv);
}
__global__ void fast(const float *grad, float *coarse, int w, int c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  int r = w / c, x0 = i * r, y0 = j * r;
  float sum = 0;
  for (int y = max(0, y0 - r); y < min(w, y0 + r); y++)
    for (int x = max(0, x0 - r); x < min(w, x0 + r); x++)
      sum +=
          grad[y * w + x] * (1 - fabsf(x - x0) / r) * (1 - fabsf(y - y0) / r);
  coarse[j * c + i] = sum;
}
int main() {
  const int w = 4096, c = 1024;
  float *a = numbers<float>(w * w), *b = numbers<float>(c * c);
  timeLaunches("spread,slow", beginClean,
               [&] { slow<<<dim3(w / 32, w / 8), dim3(32, 8)>>>(a, b, w, c); });
  timeLaunches("spread,fast", beginClean,
               [&] { fast<<<dim3(c / 32, c / 8), dim3(32, 8)>>>(a, b, w, c); });
}
