//===- pihits.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An atomic of each hit; cure: count in a register.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__device__ float next(unsigned &s) {
  s = s * 1664525u + 1013904223u;
  return (s >> 8) * 5.9604645e-8f;
}
__global__ void slow(unsigned *hits, int tries) {
  unsigned s = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < tries; k++) {
    float x = next(s), y = next(s);
    if (x * x + y * y < 1)
      atomicAdd(hits, 1);
  }
}
__global__ void fast(unsigned *hits, int tries) {
  unsigned s = blockIdx.x * blockDim.x + threadIdx.x, own = 0;
  for (int k = 0; k < tries; k++) {
    float x = next(s), y = next(s);
    own += x * x + y * y < 1;
  }
  atomicAdd(hits, own);
}
int main() {
  unsigned *h = zeros<unsigned>(1);
  timeLaunches("pihits,slow", beginClean, [&] { slow<<<1056, 256>>>(h, 64); });
  timeLaunches("pihits,fast", beginClean, [&] { fast<<<1056, 256>>>(h, 64); });
}
