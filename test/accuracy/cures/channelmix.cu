//===- channelmix.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A convolution of 1x1, a thread an output of a pixel, whose weights lie a row
/// apart; cure: a thread a pixel, and all its channels.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, const float *weight, float *out,
                     int pixels, int channels) {
  int o = threadIdx.x, p = blockIdx.x;
  float sum = 0;
  for (int c = 0; c < channels; c++)
    sum += weight[o * channels + c] * in[c * pixels + p];
  out[o * pixels + p] = sum;
}
__global__ void fast(const float *in, const float *weight, float *out,
                     int pixels, int channels) {
  int o = blockIdx.y, p = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int c = 0; c < channels; c++)
    sum += weight[o * channels + c] * in[c * pixels + p];
  out[o * pixels + p] = sum;
}
int main() {
  const int pixels = 128 * 128, channels = 64;
  float *a = numbers<float>(pixels * channels),
        *w = numbers<float>(64 * channels);
  float *b = numbers<float>(pixels * 64);
  timeLaunches("channelmix,slow", beginClean,
               [&] { slow<<<pixels, 64>>>(a, w, b, pixels, channels); });
  timeLaunches("channelmix,fast", beginClean, [&] {
    fast<<<dim3(pixels / 256, 64), 256>>>(a, w, b, pixels, channels);
  });
}
