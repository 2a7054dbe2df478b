//===- rgbgray.cu - three bytes a pixel ------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *rgb, unsigned char *gray,
                     int pixels) {
  int p = threadIdx.x + blockDim.x * blockIdx.x;
  if (p >= pixels)
    return;
  unsigned char r = rgb[3 * p];
  unsigned char g = rgb[3 * p + 1];
  unsigned char b = rgb[3 * p + 2];
  gray[p] = 0.299f * r + 0.587f * g + 0.114f * b;
}
__device__ unsigned char mix(unsigned r, unsigned g, unsigned b) {
  return 0.299f * (r & 255) + 0.587f * (g & 255) + 0.114f * (b & 255);
}
__global__ void fast(const uint3 *rgb, uchar4 *gray, int pixels) {
  int p = threadIdx.x + blockDim.x * blockIdx.x;
  if (p >= pixels / 4)
    return;
  uint3 v = rgb[p];
  gray[p] = make_uchar4(
      mix(v.x, v.x >> 8, v.x >> 16), mix(v.x >> 24, v.y, v.y >> 8),
      mix(v.y >> 16, v.y >> 24, v.z), mix(v.z >> 8, v.z >> 16, v.z >> 24));
}
int main() {
  const int n = 1 << 24;
  auto *rgb = zeros<unsigned char>(3 * n), *gray = zeros<unsigned char>(n);
  timeLaunches("rgbgray,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(rgb, gray, n); });
  timeLaunches("rgbgray,fast", beginClean, [&] {
    fast<<<n / 1024, 256>>>((uint3 *)rgb, (uchar4 *)gray, n);
  });
}
