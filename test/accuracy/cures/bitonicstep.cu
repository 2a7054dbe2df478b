//===- bitonicstep.cu - A kernel with one finding -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Sorts 1024 numbers of a block in shared memory, half of the threads idle
/// at a time; cure: a thread for each pair.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(int *a) {
  __shared__ int s[1024];
  int t = threadIdx.x, from = blockIdx.x * 1024;
  s[t] = a[from + t];
  __syncthreads();
  for (int k = 2; k <= 1024; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int other = t ^ j;
      if (other > t) {
        int x = s[t], y = s[other];
        if ((x > y) == ((t & k) == 0)) {
          s[t] = y;
          s[other] = x;
        }
      }
      __syncthreads();
    }
  a[from + t] = s[t];
}
__global__ void fast(int *a) {
  __shared__ int s[1024];
  int t = threadIdx.x, from = blockIdx.x * 1024;
  s[t] = a[from + t];
  s[t + 512] = a[from + t + 512];
  __syncthreads();
  for (int k = 2; k <= 1024; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int i = 2 * t - (t & (j - 1)), other = i + j;
      int x = s[i], y = s[other];
      if ((x > y) == ((i & k) == 0)) {
        s[i] = y;
        s[other] = x;
      }
      __syncthreads();
    }
  a[from + t] = s[t];
  a[from + t + 512] = s[t + 512];
}
__global__ void fill(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  a[i] = (x ^ x >> 15) * 2246822519u >> 4;
}
int main() {
  const int n = 1 << 22;
  int *a = zeros<int>(n);
  fill<<<n / 256, 256>>>(a);
  timeLaunches("bitonicstep,slow", beginClean,
               [&] { slow<<<n / 1024, 1024>>>(a); });
  fill<<<n / 256, 256>>>(a);
  timeLaunches("bitonicstep,fast", beginClean,
               [&] { fast<<<n / 1024, 512>>>(a); });
}
