//===- scanhs.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Inclusive sums of a block by doubling steps in shared memory; cure:
/// shuffles.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *in, int *out) {
  __shared__ int s[1024];
  int t = threadIdx.x, i = blockIdx.x * 1024 + t;
  s[t] = in[i];
  __syncthreads();
  for (int d = 1; d < 1024; d *= 2) {
    int add = 0;
    if (t >= d)
      add = s[t - d];
    __syncthreads();
    s[t] += add;
    __syncthreads();
  }
  out[i] = s[t];
}
__global__ void fast(const int *in, int *out) {
  __shared__ int warps[32];
  int t = threadIdx.x, i = blockIdx.x * 1024 + t, lane = t % 32, warp = t / 32;
  int v = in[i];
  for (int d = 1; d < 32; d *= 2) {
    int o = __shfl_up_sync(~0u, v, d);
    if (lane >= d)
      v += o;
  }
  if (lane == 31)
    warps[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int s = warps[lane];
    for (int d = 1; d < 32; d *= 2) {
      int o = __shfl_up_sync(~0u, s, d);
      if (lane >= d)
        s += o;
    }
    warps[lane] = s;
  }
  __syncthreads();
  out[i] = v + (warp ? warps[warp - 1] : 0);
}
int main() {
  const int n = 1 << 24;
  int *a = zeros<int>(n), *b = zeros<int>(n);
  timeLaunches("scanhs,slow", beginClean,
               [&] { slow<<<n / 1024, 1024>>>(a, b); });
  timeLaunches("scanhs,fast", beginClean,
               [&] { fast<<<n / 1024, 1024>>>(a, b); });
}
