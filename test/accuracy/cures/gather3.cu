//===- gather3.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Rows of a table chosen by an index, a thread a row; cure: a thread a word.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *ids, const float *table, float *out, int n,
                     int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < d; k++)
      out[i * d + k] = table[ids[i] * d + k];
}
__global__ void fast(const int *ids, const float *table, float *out, int n,
                     int d) {
  int i = blockIdx.x * blockDim.y + threadIdx.y;
  if (i < n)
    for (int k = threadIdx.x; k < d; k += blockDim.x)
      out[i * d + k] = table[ids[i] * d + k];
}
__global__ void fill(int *ids, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  ids[i] = ((x ^ x >> 15) * 2246822519u >> 5) % n;
}
int main() {
  const int n = 1 << 16, d = 256;
  int *ids = zeros<int>(n);
  float *t = numbers<float>(n * d), *o = numbers<float>(n * d);
  fill<<<n / 256, 256>>>(ids, n);
  timeLaunches("gather3,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(ids, t, o, n, d); });
  timeLaunches("gather3,fast", beginClean,
               [&] { fast<<<n / 8, dim3(32, 8)>>>(ids, t, o, n, d); });
}
