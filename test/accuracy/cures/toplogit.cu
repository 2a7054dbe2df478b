//===- toplogit.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One small block for a long row; cure: a block of 1024 threads.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *logits, int *best, int n) {
  __shared__ float v[1024];
  __shared__ int at[1024];
  const float *row = logits + blockIdx.x * n;
  float most = -1e30f;
  int where = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (row[i] > most) {
      most = row[i];
      where = i;
    }
  v[threadIdx.x] = most;
  at[threadIdx.x] = where;
  __syncthreads();
  for (int s = blockDim.x / 2; s; s /= 2) {
    if (threadIdx.x < s && v[threadIdx.x + s] > v[threadIdx.x]) {
      v[threadIdx.x] = v[threadIdx.x + s];
      at[threadIdx.x] = at[threadIdx.x + s];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0)
    best[blockIdx.x] = at[0];
}
__global__ void parts(const float *logits, unsigned long long *best, int n) {
  __shared__ float v[128];
  __shared__ int at[128];
  const float *row = logits + blockIdx.x * n;
  float most = -1e30f;
  int where = 0;
  for (int i = blockIdx.y * blockDim.x + threadIdx.x; i < n;
       i += gridDim.y * blockDim.x)
    if (row[i] > most) {
      most = row[i];
      where = i;
    }
  v[threadIdx.x] = most;
  at[threadIdx.x] = where;
  __syncthreads();
  for (int s = blockDim.x / 2; s; s /= 2) {
    if (threadIdx.x < s && v[threadIdx.x + s] > v[threadIdx.x]) {
      v[threadIdx.x] = v[threadIdx.x + s];
      at[threadIdx.x] = at[threadIdx.x + s];
    }
    __syncthreads();
  }
  // Numbers in the order of their bits, the sign turned.
  if (threadIdx.x == 0) {
    unsigned bits = __float_as_uint(v[0]);
    bits ^= bits >> 31 ? ~0u : 1u << 31;
    atomicMax(&best[blockIdx.x], (unsigned long long)bits << 32 | at[0]);
  }
}
int main() {
  const int rows = 24, n = 128000;
  float *a = numbers<float>(rows * n);
  int *b = zeros<int>(rows);
  timeLaunches("toplogit,slow", beginClean,
               [&] { slow<<<rows, 128>>>(a, b, n); });
  timeLaunches("toplogit,fast", beginClean,
               [&] { slow<<<rows, 1024>>>(a, b, n); });
  auto *packed = zeros<unsigned long long>(rows);
  timeLaunches("toplogit,parts", beginClean,
               [&] { parts<<<dim3(rows, 88), 128>>>(a, packed, n); });
}
