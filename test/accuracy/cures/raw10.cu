//===- raw10.cu - A kernel with one finding -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Four pixels of ten bits in five bytes, a thread a pixel, byte by byte; cure:
/// sixteen pixels of five words a thread.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *in, unsigned short *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned char *p = in + i / 4 * 5;
  out[i] = p[i % 4] << 2 | (p[4] >> (i % 4 * 2) & 3);
}
__global__ void fast(const unsigned *in, uint4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i * 16 >= n)
    return;
  unsigned w[5], r[8];
  for (int k = 0; k < 5; k++)
    w[k] = in[i * 5 + k];
  for (int k = 0; k < 4; k++) {
    int at = k * 40;
    unsigned low =
        __funnelshift_r(w[at / 32], at / 32 < 4 ? w[at / 32 + 1] : 0, at % 32);
    unsigned last = w[(at + 32) / 32] >> (at + 32) % 32 & 255;
    unsigned a = (low & 255) << 2 | (last & 3);
    unsigned b = (low >> 8 & 255) << 2 | (last >> 2 & 3);
    unsigned c = (low >> 16 & 255) << 2 | (last >> 4 & 3);
    unsigned d = (low >> 24) << 2 | last >> 6;
    r[k * 2] = a | b << 16;
    r[k * 2 + 1] = c | d << 16;
  }
  out[i * 2] = make_uint4(r[0], r[1], r[2], r[3]);
  out[i * 2 + 1] = make_uint4(r[4], r[5], r[6], r[7]);
}
int main() {
  const int n = 1 << 24;
  unsigned char *a = zeros<unsigned char>(n / 4 * 5);
  unsigned short *b = zeros<unsigned short>(n);
  timeLaunches("raw10,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("raw10,fast", beginClean, [&] {
    fast<<<n / 16 / 256, 256>>>((unsigned *)a, (uint4 *)b, n);
  });
}
