//===- sum1turns.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The sum of an array: the pair sum1, with blocks that take turns as well.
///
//===----------------------------------------------------------------------===//

#include "timing.h"

__global__ void slow(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  atomicAdd(b, a[i]);
}
__global__ void fast(const float *a, float *b, int n) {
  __shared__ float s[8];
  float t = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    t += a[i];
  for (int o = 16; o; o >>= 1)
    t += __shfl_xor_sync(~0u, t, o);
  if (threadIdx.x % 32 == 0)
    s[threadIdx.x / 32] = t;
  __syncthreads();
  if (threadIdx.x == 0) {
    t = 0;
    for (int k = 0; k < 8; k++)
      t += s[k];
    atomicAdd(b, t);
  }
}
int main() {
  const int n = 1 << 24;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("sum1turns,slow", begin,
               [&] { slow<<<n / 256, 256>>>(a, b, n); });
  timeLaunches("sum1turns,fast", begin, [&] { fast<<<1056, 256>>>(a, b, n); });
}
