//===- sad8.cu - A kernel with one finding --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How far blocks of 8 by 8 bytes differ from those displaced by up to 15, byte
/// by byte; cure: four bytes an instruction.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *now, const unsigned char *before,
                     int *out, int w) {
  int bx = blockIdx.x * 8, by = blockIdx.y * 8;
  int dx = threadIdx.x, dy = threadIdx.y;
  int sum = 0;
  for (int y = 0; y < 8; y++)
    for (int x = 0; x < 8; x++)
      sum += abs(now[(by + y) * w + bx + x] -
                 before[(by + y + dy) * w + bx + x + dx]);
  out[(blockIdx.y * gridDim.x + blockIdx.x) * 256 + dy * 16 + dx] = sum;
}
__global__ void fast(const unsigned char *now, const unsigned char *before,
                     int *out, int w) {
  int bx = blockIdx.x * 8, by = blockIdx.y * 8;
  int dx = threadIdx.x, dy = threadIdx.y;
  int shift = dx % 4 * 8, sum = 0;
  for (int y = 0; y < 8; y++) {
    const unsigned *a = (const unsigned *)&now[(by + y) * w + bx];
    const unsigned *b =
        (const unsigned *)&before[(by + y + dy) * w + bx + dx / 4 * 4];
    unsigned b0 = b[0], b1 = b[1], b2 = b[2];
    sum += __vsadu4(a[0], __funnelshift_r(b0, b1, shift));
    sum += __vsadu4(a[1], __funnelshift_r(b1, b2, shift));
  }
  out[(blockIdx.y * gridDim.x + blockIdx.x) * 256 + dy * 16 + dx] = sum;
}
int main() {
  const int w = 2048, h = 1024;
  unsigned char *a = zeros<unsigned char>(w * (h + 32)),
                *b = zeros<unsigned char>(w * (h + 32));
  int *c = zeros<int>((w / 8) * (h / 8) * 256);
  timeLaunches("sad8,slow", beginClean,
               [&] { slow<<<dim3(w / 8, h / 8), dim3(16, 16)>>>(a, b, c, w); });
  timeLaunches("sad8,fast", beginClean,
               [&] { fast<<<dim3(w / 8, h / 8), dim3(16, 16)>>>(a, b, c, w); });
}
