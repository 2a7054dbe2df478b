//===- longcount.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An atomic of 64 bits of each thread that finds something; cure: votes.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void choose(int *id, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  id[i] = ((x ^ x >> 15) * 2246822519u >> 5) % n;
}
__global__ void slow(const int *a, unsigned long long *found, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (a[i] & 1))
    atomicAdd(found, 1ull);
}
__global__ void fast(const int *a, unsigned long long *found, int n) {
  unsigned long long own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    own += a[i] & 1;
  for (int d = 16; d; d /= 2)
    own += __shfl_down_sync(~0u, own, d);
  if (threadIdx.x % 32 == 0)
    atomicAdd(found, own);
}
int main() {
  const int n = 1 << 22;
  int *a = zeros<int>(n);
  unsigned long long *f = zeros<unsigned long long>(1);
  choose<<<n / 256, 256>>>(a, 1 << 20);
  timeLaunches("longcount,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, f, n); });
  timeLaunches("longcount,fast", beginClean,
               [&] { fast<<<528, 512>>>(a, f, n); });
}
