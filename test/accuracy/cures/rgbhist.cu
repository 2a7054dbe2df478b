//===- rgbhist.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Three histograms in global memory; cure: in shared memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const uchar4 *a, unsigned *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  uchar4 p = a[i];
  atomicAdd(&bins[p.x], 1);
  atomicAdd(&bins[256 + p.y], 1);
  atomicAdd(&bins[512 + p.z], 1);
}
__global__ void fast(const uchar4 *a, unsigned *bins, int n) {
  __shared__ unsigned s[768];
  for (int k = threadIdx.x; k < 768; k += blockDim.x)
    s[k] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    uchar4 p = a[i];
    atomicAdd(&s[p.x], 1);
    atomicAdd(&s[256 + p.y], 1);
    atomicAdd(&s[512 + p.z], 1);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < 768; k += blockDim.x)
    atomicAdd(&bins[k], s[k]);
}
__global__ void choose(int *id) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  id[i] = (x ^ x >> 15) * 2246822519u;
}
int main() {
  const int n = 1 << 22;
  uchar4 *a = zeros<uchar4>(n);
  unsigned *b = zeros<unsigned>(768);
  choose<<<n / 256, 256>>>((int *)a);
  timeLaunches("rgbhist,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("rgbhist,fast", beginClean,
               [&] { fast<<<528, 512>>>(a, b, n); });
}
