//===- fatshared.cu - more shared memory than a block uses -----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

template <int Words> __global__ void both(const float *in, float *out, int n) {
  __shared__ float stage[Words];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float v = in[i];
  for (int k = 1; k < 8; k++)
    v += in[i + k * n];
  stage[t] = v;
  __syncthreads();
  out[i] = stage[127 - t] + stage[(t + 1) & 127];
}
int main() {
  const int n = 1 << 20;
  float *a = numbers<float>(8 * n), *b = numbers<float>(n);
  timeLaunches("fatshared,slow", beginClean,
               [&] { both<12000><<<n / 128, 128>>>(a, b, n); });
  timeLaunches("fatshared,fast", beginClean,
               [&] { both<128><<<n / 128, 128>>>(a, b, n); });
}
