//===- div64.cu - divide in 32 bits ----------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, float *b, long long w, long long h,
                     long long d) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  long long x = i % w, y = i / w % h, z = i / w / h % d, t = i / w / h / d;
  b[i] = a[((t * d + d - 1 - z) * h + h - 1 - y) * w + x];
}
__global__ void fast(const float *a, float *b, unsigned w, unsigned h,
                     unsigned d) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = i % w, y = i / w % h, z = i / w / h % d, t = i / w / h / d;
  b[i] = a[((t * d + d - 1 - z) * h + h - 1 - y) * w + x];
}
int main() {
  const int w = 192, h = 96, d = 40, n = w * h * d * 12;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  timeLaunches("div64,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, w, h, d); });
  timeLaunches("div64,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, w, h, d); });
}
