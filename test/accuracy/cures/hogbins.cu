//===- hogbins.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The direction of each gradient, one of eight, by atan2f; cure: comparisons
/// of the parts.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, unsigned char *bin, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1)
    return;
  int i = y * w + x;
  float dx = in[i + 1] - in[i - 1], dy = in[i + w] - in[i - w];
  float angle = atan2f(dy, dx) + 3.14159265f;
  int b = int(angle / 6.2831853f * 8.0f);
  bin[i] = b < 8 ? b : 7;
}
__global__ void fast(const float *in, unsigned char *bin, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1)
    return;
  int i = y * w + x;
  float dx = in[i + 1] - in[i - 1], dy = in[i + w] - in[i - w];
  bool up = dy >= 0, right = dx >= 0, steep = fabsf(dy) > fabsf(dx);
  int quarter = up ? (right ? 2 : 3) : (right ? 1 : 0);
  bin[i] = quarter * 2 + (steep != (up != right));
}
__global__ void fill(float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    in[i] = ((unsigned)i * 2654435761u >> 20) * 0.001f;
}
int main() {
  const int w = 4096, h = 4096;
  float *a = numbers<float>(w * h);
  unsigned char *b = zeros<unsigned char>(w * h);
  fill<<<w * h / 256, 256>>>(a, w * h);
  timeLaunches("hogbins,slow", beginClean,
               [&] { slow<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, b, w, h); });
  timeLaunches("hogbins,fast", beginClean,
               [&] { fast<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(a, b, w, h); });
}
