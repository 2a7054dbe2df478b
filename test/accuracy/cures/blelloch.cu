//===- blelloch.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A prefix sum up and down a tree; cure: shuffles.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *in, int *out) {
  __shared__ int s[1024];
  int t = threadIdx.x, at = blockIdx.x * 1024;
  s[2 * t] = in[at + 2 * t];
  s[2 * t + 1] = in[at + 2 * t + 1];
  int offset = 1;
  for (int d = 512; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d)
      s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0)
    s[1023] = 0;
  for (int d = 1; d < 1024; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      int left = s[a];
      s[a] = s[b];
      s[b] += left;
    }
  }
  __syncthreads();
  out[at + 2 * t] = s[2 * t];
  out[at + 2 * t + 1] = s[2 * t + 1];
}
__global__ void fast(const int *in, int *out) {
  __shared__ int warps[16];
  int t = threadIdx.x, at = blockIdx.x * 1024, lane = t % 32, warp = t / 32;
  int2 two = ((const int2 *)(in + at))[t];
  int own = two.x + two.y, v = own;
  for (int d = 1; d < 32; d *= 2) {
    int o = __shfl_up_sync(~0u, v, d);
    if (lane >= d)
      v += o;
  }
  if (lane == 31)
    warps[warp] = v;
  __syncthreads();
  if (warp == 0) {
    int w = lane < 16 ? warps[lane] : 0;
    for (int d = 1; d < 16; d *= 2) {
      int o = __shfl_up_sync(~0u, w, d);
      if (lane >= d)
        w += o;
    }
    if (lane < 16)
      warps[lane] = w;
  }
  __syncthreads();
  int before = v - own + (warp ? warps[warp - 1] : 0);
  ((int2 *)(out + at))[t] = make_int2(before, before + two.x);
}
int main() {
  const int n = 1 << 24;
  int *a = zeros<int>(n), *b = zeros<int>(n);
  timeLaunches("blelloch,slow", beginClean,
               [&] { slow<<<n / 1024, 512>>>(a, b); });
  timeLaunches("blelloch,fast", beginClean,
               [&] { fast<<<n / 1024, 512>>>(a, b); });
}
