//===- median9.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A median by insertion into an array; cure: by minima and maxima.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  float v[9];
  int n = 0;
  for (int j = -1; j <= 1; j++)
    for (int i = -1; i <= 1; i++) {
      float f = in[(y + j) * w + x + i];
      int k = n++;
      while (k > 0 && v[k - 1] > f) {
        v[k] = v[k - 1];
        k--;
      }
      v[k] = f;
    }
  out[y * w + x] = v[4];
}
__device__ void order(float &a, float &b) {
  float t = fminf(a, b);
  b = fmaxf(a, b);
  a = t;
}
__global__ void fast(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  float v[9];
#pragma unroll
  for (int j = 0; j < 3; j++)
#pragma unroll
    for (int i = 0; i < 3; i++)
      v[3 * j + i] = in[(y + j - 1) * w + x + i - 1];
#pragma unroll
  for (int j = 0; j < 9; j += 3) {
    order(v[j], v[j + 1]);
    order(v[j + 1], v[j + 2]);
    order(v[j], v[j + 1]);
  }
  float low = fmaxf(fmaxf(v[0], v[3]), v[6]);
  float high = fminf(fminf(v[2], v[5]), v[8]);
  order(v[1], v[4]);
  float mid = fmaxf(v[1], fminf(v[4], v[7]));
  order(low, high);
  out[y * w + x] = fmaxf(low, fminf(high, mid));
}
__global__ void fill(float *a) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i * 2654435761u;
  a[i] = (x ^ x >> 15) * 2246822519u >> 16;
}
int main() {
  const int w = 2048, h = 2048;
  float *a = numbers<float>(w * h), *b = numbers<float>(w * h);
  fill<<<w * h / 256, 256>>>(a);
  timeLaunches("median9,slow", beginClean,
               [&] { slow<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, b, w, h); });
  timeLaunches("median9,fast", beginClean,
               [&] { fast<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, b, w, h); });
}
