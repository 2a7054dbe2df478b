//===- adler.cu - A kernel with one finding -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A remainder for each byte; cure: one for each sixteen.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const uint4 *a, unsigned *b, unsigned mod, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = 1, t = 0;
  for (int k = 0; k < 8; k++) {
    uint4 v = a[k * n + i];
    for (unsigned w : {v.x, v.y, v.z, v.w}) {
      s = (s + (w & 65535)) % mod;
      t = (t + s) % mod;
      s = (s + (w >> 16)) % mod;
      t = (t + s) % mod;
    }
  }
  b[i] = t << 16 | s;
}
__global__ void fast(const uint4 *a, unsigned *b, unsigned mod, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = 1, t = 0;
  for (int k = 0; k < 8; k++) {
    uint4 v = a[k * n + i];
    for (unsigned w : {v.x, v.y, v.z, v.w}) {
      s += w & 65535;
      t += s;
      s += w >> 16;
      t += s;
    }
    s %= mod;
    t %= mod;
  }
  b[i] = t << 16 | s;
}
int main() {
  const int n = 1 << 19;
  uint4 *a = zeros<uint4>(8 * n);
  unsigned *b = zeros<unsigned>(n);
  timeLaunches("adler,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, 65521, n); });
  timeLaunches("adler,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, b, 65521, n); });
}
