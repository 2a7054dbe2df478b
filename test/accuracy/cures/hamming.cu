//===- hamming.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The bits in which descriptors of 32 bytes differ from one, byte by byte;
/// cure: by vectors of 16 bytes.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *descriptor, const unsigned char *one,
                     int *distance, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int bits = 0;
  for (int k = 0; k < 32; k++)
    bits += __popc(descriptor[i * 32 + k] ^ one[k]);
  distance[i] = bits;
}
__global__ void fast(const uint4 *descriptor, const uint4 *one, int *distance,
                     int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int bits = 0;
  for (int k = 0; k < 2; k++) {
    uint4 a = descriptor[i * 2 + k], b = one[k];
    bits += __popc(a.x ^ b.x) + __popc(a.y ^ b.y) + __popc(a.z ^ b.z) +
            __popc(a.w ^ b.w);
  }
  distance[i] = bits;
}
int main() {
  const int n = 1 << 20;
  unsigned char *d = zeros<unsigned char>(32 * n),
                *one = zeros<unsigned char>(32);
  int *distance = zeros<int>(n);
  timeLaunches("hamming,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(d, one, distance, n); });
  timeLaunches("hamming,fast", beginClean, [&] {
    fast<<<n / 256, 256>>>((uint4 *)d, (uint4 *)one, distance, n);
  });
}
