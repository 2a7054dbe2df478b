//===- spilledbounds.cu - bounds that make registers spill -----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

#define BODY                                                                   \
  int i = blockIdx.x * blockDim.x + threadIdx.x;                               \
  float v[40];                                                                 \
  _Pragma("unroll") for (int k = 0; k < 40; k++) v[k] = a[k * n + i];          \
  for (int r = 0; r < rounds; r++) {                                           \
    _Pragma("unroll") for (int k = 0; k < 40; k++) v[k] =                      \
        v[k] * v[(k + 7) % 40] + v[(k + 13) % 40];                             \
  }                                                                            \
  float s = 0;                                                                 \
  _Pragma("unroll") for (int k = 0; k < 40; k++) s += v[k];                    \
  b[i] = s
#define STRICT __launch_bounds__(256, 8)
#define LOOSE __launch_bounds__(256)
__global__ STRICT void slow(const float *a, float *b, int n, int rounds) {
  BODY;
}
__global__ LOOSE void fast(const float *a, float *b, int n, int rounds) {
  BODY;
}
int main() {
  const int n = 1 << 18;
  float *a = numbers<float>(40 * n), *b = numbers<float>(n);
  timeLaunches("spilledbounds,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n, 64); });
  timeLaunches("spilledbounds,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, n, 64); });
}
