//===- owncount.cu - counters in shared memory in place of local memory *- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned *a, unsigned *b, int n, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned count[16] = {};
  for (int k = 0; k < steps; k++) {
    unsigned v = a[k * n + i];
    for (int d = 0; d < 32; d += 4)
      count[v >> d & 15]++;
  }
  for (int d = 0; d < 16; d++)
    b[d * n + i] = count[d];
}
__global__ void fast(const unsigned *a, unsigned *b, int n, int steps) {
  __shared__ unsigned count[16][128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int d = 0; d < 16; d++)
    count[d][threadIdx.x] = 0;
  for (int k = 0; k < steps; k++) {
    unsigned v = a[k * n + i];
    for (int d = 0; d < 32; d += 4)
      count[v >> d & 15][threadIdx.x]++;
  }
  for (int d = 0; d < 16; d++)
    b[d * n + i] = count[d][threadIdx.x];
}
__global__ void fill(unsigned *a) {
  unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  a[blockIdx.x * blockDim.x + threadIdx.x] = (x ^ x >> 15) * 2246822519u;
}
int main() {
  const int n = 132 * 128 * 8, steps = 64;
  unsigned *a = zeros<unsigned>(n * steps), *b = zeros<unsigned>(n * 16);
  fill<<<n * steps / 256, 256>>>(a);
  timeLaunches("owncount,slow", beginClean,
               [&] { slow<<<n / 128, 128>>>(a, b, n, steps); });
  timeLaunches("owncount,fast", beginClean,
               [&] { fast<<<n / 128, 128>>>(a, b, n, steps); });
}
