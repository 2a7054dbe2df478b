//===- lifewrap.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A cellular automaton on a torus; cure: compare instead of the remainder.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *a, unsigned char *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int alive = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx != 0 || dy != 0)
        alive += a[((y + dy + h) % h) * w + (x + dx + w) % w];
  b[y * w + x] = alive == 3 || (alive == 2 && a[y * w + x]);
}
__global__ void fast(const unsigned char *a, unsigned char *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int left = x == 0 ? w - 1 : x - 1, right = x == w - 1 ? 0 : x + 1;
  const unsigned char *up = a + (y == 0 ? h - 1 : y - 1) * w;
  const unsigned char *at = a + y * w;
  const unsigned char *down = a + (y == h - 1 ? 0 : y + 1) * w;
  int alive = up[left] + up[x] + up[right] + at[left] + at[right] + down[left] +
              down[x] + down[right];
  b[y * w + x] = alive == 3 || (alive == 2 && at[x]);
}
int main() {
  const int w = 4096, h = 4096;
  unsigned char *a = zeros<unsigned char>(w * h),
                *b = zeros<unsigned char>(w * h);
  dim3 block(32, 8), grid(w / 32, h / 8);
  timeLaunches("lifewrap,slow", beginClean,
               [&] { slow<<<grid, block>>>(a, b, w, h); });
  timeLaunches("lifewrap,fast", beginClean,
               [&] { fast<<<grid, block>>>(a, b, w, h); });
}
