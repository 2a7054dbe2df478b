//===- applylut.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A byte image through a table of 256 bytes; cure: the table in shared
/// memory, and 16 pixels a thread.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *in, const unsigned char *lut,
                     unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = lut[in[i]];
}
__global__ void fast(const uint4 *in, const unsigned char *lut, uint4 *out,
                     int n) {
  __shared__ unsigned char s[256];
  s[threadIdx.x] = lut[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 16)
    return;
  uint4 v = in[i], r;
  unsigned *a = (unsigned *)&v, *b = (unsigned *)&r;
#pragma unroll
  for (int k = 0; k < 4; k++)
    b[k] = s[a[k] & 255] | s[a[k] >> 8 & 255] << 8 | s[a[k] >> 16 & 255] << 16 |
           s[a[k] >> 24] << 24;
  out[i] = r;
}
__global__ void fill(unsigned char *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = ((unsigned)i * 2654435761u) >> 21;
}
int main() {
  const int n = 1 << 25;
  unsigned char *a = zeros<unsigned char>(n), *b = zeros<unsigned char>(n);
  unsigned char *lut = zeros<unsigned char>(256);
  fill<<<n / 256, 256>>>(a);
  timeLaunches("applylut,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, lut, b, n); });
  timeLaunches("applylut,fast", beginClean, [&] {
    fast<<<n / 4096, 256>>>((uint4 *)a, lut, (uint4 *)b, n);
  });
}
