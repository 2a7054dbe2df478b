//===- embedsum.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread a bag of rows; cure: lanes along the row.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *table, const int *ids, float *out, int bags) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= bags)
    return;
  for (int d = 0; d < 64; d++) {
    float sum = 0;
    for (int k = 0; k < 8; k++)
      sum += table[ids[b * 8 + k] * 64 + d];
    out[b * 64 + d] = sum;
  }
}
__global__ void fast(const float *table, const int *ids, float *out, int bags) {
  int b = blockIdx.x * blockDim.y + threadIdx.y, d = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 8; k++)
    sum += table[ids[b * 8 + k] * 64 + d];
  out[b * 64 + d] = sum;
}
__global__ void choose(int *id, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  id[i] = ((x ^ x >> 15) * 2246822519u >> 5) % n;
}
int main() {
  const int bags = 1 << 16, rows = 1 << 16;
  float *t = numbers<float>(rows * 64), *b = numbers<float>(bags * 64);
  int *ids = zeros<int>(8 * bags);
  choose<<<8 * bags / 256, 256>>>(ids, rows);
  timeLaunches("embedsum,slow", beginClean,
               [&] { slow<<<bags / 128, 128>>>(t, ids, b, bags); });
  timeLaunches("embedsum,fast", beginClean,
               [&] { fast<<<bags / 4, dim3(64, 4)>>>(t, ids, b, bags); });
}
