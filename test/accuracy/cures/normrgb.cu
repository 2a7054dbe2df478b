//===- normrgb.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bytes of an image become planes of normal numbers by doubles; cure: floats.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const uchar4 *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uchar4 p = in[i];
  out[i] = (p.x / 255.0 - 0.485) / 0.229;
  out[n + i] = (p.y / 255.0 - 0.456) / 0.224;
  out[2 * n + i] = (p.z / 255.0 - 0.406) / 0.225;
}
__global__ void fast(const uchar4 *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uchar4 p = in[i];
  out[i] = (p.x * (1 / 255.0f) - 0.485f) * (1 / 0.229f);
  out[n + i] = (p.y * (1 / 255.0f) - 0.456f) * (1 / 0.224f);
  out[2 * n + i] = (p.z * (1 / 255.0f) - 0.406f) * (1 / 0.225f);
}
int main() {
  const int n = 1 << 23;
  uchar4 *in = zeros<uchar4>(n);
  float *out = numbers<float>(3 * n);
  cudaMemset(in, 77, n * 4);
  timeLaunches("normrgb,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(in, out, n); });
  timeLaunches("normrgb,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(in, out, n); });
}
