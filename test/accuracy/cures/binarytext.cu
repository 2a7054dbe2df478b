//===- binarytext.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Words written as 64 digits each, byte by byte; cures: a thread for each
/// digit, and a thread for 16 of them, stored at once.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(char *text, const long long *in, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  unsigned long long v = in[row];
  char *out = text + (size_t)row * 64;
  for (int b = 0; b < 64; b++)
    out[b] = (v >> (63 - b)) & 1 ? '1' : '0';
}
__global__ void fast(char *text, const long long *in, int rows) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / 64, b = i % 64;
  if (row >= rows)
    return;
  unsigned long long v = in[row];
  text[i] = (v >> (63 - b)) & 1 ? '1' : '0';
}
__global__ void wide(uint4 *text, const long long *in, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int row = i / 4, part = i % 4;
  if (row >= rows)
    return;
  unsigned v = (unsigned long long)in[row] >> (48 - 16 * part);
  unsigned w[4];
  for (int k = 0; k < 4; k++) {
    unsigned n = v >> (12 - 4 * k);
    w[k] = 0x30303030u + (n >> 3 & 1) + ((n >> 2 & 1) << 8) +
           ((n >> 1 & 1) << 16) + ((n & 1) << 24);
  }
  text[i] = make_uint4(w[0], w[1], w[2], w[3]);
}
__global__ void lanes(char *text, const long long *in, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  unsigned long long v = in[row];
  char *out = text + (size_t)(row - lane) * 64 + lane;
  for (int r = 0; r < 32; r++) {
    unsigned long long w = __shfl_sync(~0u, v, r);
    out[r * 64] = (w >> (63 - lane)) & 1 ? '1' : '0';
    out[r * 64 + 32] = (w >> (31 - lane)) & 1 ? '1' : '0';
  }
}
int main() {
  const int rows = 1 << 20;
  auto *in = zeros<long long>(rows);
  char *t = zeros<char>((size_t)rows * 64);
  timeLaunches("binarytext,slow", beginClean,
               [&] { slow<<<rows / 256, 256>>>(t, in, rows); });
  timeLaunches("binarytext,fast", beginClean,
               [&] { fast<<<rows / 4, 256>>>(t, in, rows); });
  timeLaunches("binarytext,lanes", beginClean,
               [&] { lanes<<<rows / 256, 256>>>(t, in, rows); });
  timeLaunches("binarytext,wide", beginClean,
               [&] { wide<<<rows / 64, 256>>>((uint4 *)t, in, rows); });
}
