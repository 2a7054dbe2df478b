//===- vecatom.cu - atomics of neighbours ----------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const int *row, float *b, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = i / (w / 4),
      k = i % (w / 4);
  float4 v = ((const float4 *)a)[i];
  float *to = b + row[t] * w + 4 * k;
  atomicAdd(to, v.x);
  atomicAdd(to + 1, v.y);
  atomicAdd(to + 2, v.z);
  atomicAdd(to + 3, v.w);
}
__global__ void fast(const float *a, const int *row, float *b, int w) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = i / w, k = i % w;
  atomicAdd(b + row[t] * w + k, a[i]);
}
__global__ void fillRows(int *row, int rows) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  row[i] = ((unsigned)i * 2654435761u >> 8) % rows;
}
int main() {
  const int tokens = 16384, w = 512, rows = 32768;
  float *a = zeros<float>(tokens * w), *b = zeros<float>(rows * w);
  int *row = zeros<int>(tokens);
  fillRows<<<tokens / 256, 256>>>(row, rows);
  timeLaunches("vecatom,slow", beginClean,
               [&] { slow<<<tokens * w / 1024, 256>>>(a, row, b, w); });
  timeLaunches("vecatom,fast", beginClean,
               [&] { fast<<<tokens * w / 256, 256>>>(a, row, b, w); });
}
