//===- imagelaunch.cu - a launch for each image of a batch -----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *image, float *out, int pixels, float gain) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p < pixels)
    out[p] = fminf(image[p] * gain, 1.0f);
}
__global__ void fast(const float *image, float *out, int pixels, float gain) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  size_t first = (size_t)blockIdx.y * pixels;
  if (p < pixels)
    out[first + p] = fminf(image[first + p] * gain, 1.0f);
}
int main() {
  const int batch = 600, pixels = 28 * 28;
  float *in = numbers<float>(batch * pixels),
        *out = numbers<float>(batch * pixels);
  timeLaunches("imagelaunch,slow", beginClean, [&] {
    int b = 0;
    while (b < batch) {
      slow<<<(pixels + 255) / 256, 256>>>(in + b * pixels, out + b * pixels,
                                          pixels, 2);
      b++;
    }
  });
  timeLaunches("imagelaunch,fast", beginClean, [&] {
    fast<<<dim3((pixels + 255) / 256, batch), 256>>>(in, out, pixels, 2);
  });
}
