//===- crcrows.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread takes the check sum of its own message byte by byte; cure: sixteen
/// bytes a load.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *messages, const unsigned *table,
                     unsigned *sums, int length, int n) {
  __shared__ unsigned t[256];
  t[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= n)
    return;
  const unsigned char *p = messages + (size_t)m * length;
  unsigned c = ~0u;
  for (int k = 0; k < length; k++)
    c = t[(c ^ p[k]) & 255] ^ c >> 8;
  sums[m] = ~c;
}
__global__ void fast(const unsigned char *messages, const unsigned *table,
                     unsigned *sums, int length, int n) {
  __shared__ unsigned t[256];
  t[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= n)
    return;
  const uint4 *p = (const uint4 *)(messages + (size_t)m * length);
  unsigned c = ~0u;
  for (int k = 0; k < length / 16; k++) {
    uint4 v = p[k];
    unsigned words[4] = {v.x, v.y, v.z, v.w};
    for (int w = 0; w < 4; w++)
      for (int s = 0; s < 32; s += 8)
        c = t[(c ^ words[w] >> s) & 255] ^ c >> 8;
  }
  sums[m] = ~c;
}
__global__ void fill(unsigned char *m, unsigned *table) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  m[i] = unsigned(i) * 2654435761u >> 24;
  if (i < 256) {
    unsigned c = i;
    for (int k = 0; k < 8; k++)
      c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[i] = c;
  }
}
int main() {
  const int n = 1 << 17, length = 256;
  unsigned char *m = zeros<unsigned char>(n * length);
  unsigned *table = zeros<unsigned>(256), *sums = zeros<unsigned>(n);
  fill<<<n * length / 256, 256>>>(m, table);
  timeLaunches("crcrows,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(m, table, sums, length, n); });
  timeLaunches("crcrows,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(m, table, sums, length, n); });
}
