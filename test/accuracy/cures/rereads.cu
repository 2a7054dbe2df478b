//===- rereads.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each pass over a row loads it again; cure: registers keep it.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

template <typename F> __device__ float combined(float v, float *part, F join) {
  for (int o = 16; o; o /= 2)
    v = join(v, __shfl_xor_sync(~0u, v, o));
  __syncthreads();
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  v = part[threadIdx.x % 32 % (blockDim.x / 32)];
  for (int o = blockDim.x / 64; o; o /= 2)
    v = join(v, __shfl_xor_sync(~0u, v, o));
  return v;
}
__device__ float larger(float a, float b) { return fmaxf(a, b); }
__device__ float sum(float a, float b) { return a + b; }
__global__ void slow(const float *in, float *out, int n) {
  __shared__ float part[32];
  const float *a = in + blockIdx.x * n;
  float most = -1e30f, total = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    most = fmaxf(most, a[i]);
  most = combined(most, part, larger);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    total += __expf(a[i] - most);
  total = combined(total, part, sum);
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[blockIdx.x * n + i] = __expf(a[i] - most) / total;
}
__global__ void fast(const float *in, float *out, int n) {
  __shared__ float part[32];
  const float *a = in + blockIdx.x * n;
  float most = -1e30f, total = 0, v[16];
  for (int k = 0; k < 16; k++) {
    v[k] = a[k * 256 + threadIdx.x];
    most = fmaxf(most, v[k]);
  }
  most = combined(most, part, larger);
  for (int k = 0; k < 16; k++) {
    v[k] = __expf(v[k] - most);
    total += v[k];
  }
  total = combined(total, part, sum);
  for (int k = 0; k < 16; k++)
    out[blockIdx.x * n + k * 256 + threadIdx.x] = v[k] / total;
}
int main() {
  const int rows = 8192, n = 4096;
  float *a = numbers<float>(rows * n), *b = numbers<float>(rows * n);
  timeLaunches("rereads,slow", beginClean,
               [&] { slow<<<rows, 256>>>(a, b, n); });
  timeLaunches("rereads,fast", beginClean,
               [&] { fast<<<rows, 256>>>(a, b, n); });
}
