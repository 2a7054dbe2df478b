//===- idlethreads.cu - A kernel with one finding -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Norms of rows of 256 values by blocks of 1024 threads; cure: blocks as long
/// as the rows.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int columns) {
  __shared__ float part[32];
  const float *row = in + (size_t)blockIdx.x * columns;
  float v = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    v += row[c] * row[c];
  for (int k = 16; k > 0; k /= 2)
    v += __shfl_down_sync(~0u, v, k);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
    for (int k = 16; k > 0; k /= 2)
      v += __shfl_down_sync(~0u, v, k);
    if (threadIdx.x == 0)
      out[blockIdx.x] = sqrtf(v);
  }
}
__global__ void eight(const float *in, float *out, int columns) {
  __shared__ float part[8][32];
  float v[8] = {};
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    for (int r = 0; r < 8; r++) {
      float x = in[((size_t)blockIdx.x * 8 + r) * columns + c];
      v[r] += x * x;
    }
  for (int r = 0; r < 8; r++) {
    for (int k = 16; k > 0; k /= 2)
      v[r] += __shfl_down_sync(~0u, v[r], k);
    if (threadIdx.x % 32 == 0)
      part[r][threadIdx.x / 32] = v[r];
  }
  __syncthreads();
  if (threadIdx.x < 32)
    for (int r = 0; r < 8; r++) {
      float w = threadIdx.x < blockDim.x / 32 ? part[r][threadIdx.x] : 0;
      for (int k = 16; k > 0; k /= 2)
        w += __shfl_down_sync(~0u, w, k);
      if (threadIdx.x == 0)
        out[blockIdx.x * 8 + r] = sqrtf(w);
    }
}
int main() {
  const int rows = 65536, columns = 256;
  float *a = numbers<float>(rows * columns), *b = numbers<float>(rows);
  timeLaunches("idlethreads,slow", beginClean,
               [&] { slow<<<rows, 1024>>>(a, b, columns); });
  timeLaunches("idlethreads,fitting", beginClean,
               [&] { slow<<<rows, 256>>>(a, b, columns); });
  timeLaunches("idlethreads,half", beginClean,
               [&] { slow<<<rows, 128>>>(a, b, columns); });
  timeLaunches("idlethreads,quarter", beginClean,
               [&] { slow<<<rows, 64>>>(a, b, columns); });
  timeLaunches("idlethreads,eight", beginClean,
               [&] { eight<<<rows / 8, 1024>>>(a, b, columns); });
}
