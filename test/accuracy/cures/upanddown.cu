//===- upanddown.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prefix sums up and down a tree of any size; cure: shuffles.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out) {
  extern __shared__ float s[];
  int t = threadIdx.x, n = 2 * blockDim.x, at = blockIdx.x * n;
  s[2 * t] = in[at + 2 * t];
  s[2 * t + 1] = in[at + 2 * t + 1];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      s[b] += s[a];
    }
    offset *= 2;
  }
  if (t == 0)
    s[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      float left = s[a];
      s[a] = s[b];
      s[b] += left;
    }
  }
  __syncthreads();
  out[at + 2 * t] = s[2 * t];
  out[at + 2 * t + 1] = s[2 * t + 1];
}
__global__ void fast(const float *in, float *out) {
  __shared__ float warps[32];
  int t = threadIdx.x, at = blockIdx.x * 2 * blockDim.x;
  int lane = t % 32, warp = t / 32;
  float2 two = ((const float2 *)(in + at))[t];
  float own = two.x + two.y, v = own;
  for (int d = 1; d < 32; d *= 2) {
    float o = __shfl_up_sync(~0u, v, d);
    if (lane >= d)
      v += o;
  }
  if (lane == 31)
    warps[warp] = v;
  __syncthreads();
  if (warp == 0) {
    float w = lane < blockDim.x / 32 ? warps[lane] : 0;
    for (int d = 1; d < 32; d *= 2) {
      float o = __shfl_up_sync(~0u, w, d);
      if (lane >= d)
        w += o;
    }
    warps[lane] = w;
  }
  __syncthreads();
  float before = v - own + (warp ? warps[warp - 1] : 0);
  ((float2 *)(out + at))[t] = make_float2(before, before + two.x);
}
int main() {
  const int n = 1 << 24;
  float *a = numbers<float>(n), *b = numbers<float>(n);
  timeLaunches("upanddown,slow", beginClean,
               [&] { slow<<<n / 512, 256, 2048>>>(a, b); });
  timeLaunches("upanddown,fast", beginClean,
               [&] { fast<<<n / 512, 256>>>(a, b); });
}
