//===- smoothseries.cu - A kernel with one finding ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Exponential smoothing of many series, one after the other in memory, a
/// thread a series; cure: step by step in memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int series, int steps,
                     float alpha) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= series)
    return;
  float level = in[s * steps];
  for (int t = 0; t < steps; t++) {
    level = alpha * in[s * steps + t] + (1 - alpha) * level;
    out[s * steps + t] = level;
  }
}
__global__ void fast(const float *in, float *out, int series, int steps,
                     float alpha) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= series)
    return;
  float level = in[s];
  for (int t = 0; t < steps; t++) {
    level = alpha * in[t * series + s] + (1 - alpha) * level;
    out[t * series + s] = level;
  }
}
int main() {
  const int series = 1 << 16, steps = 256;
  float *a = numbers<float>(series * steps),
        *b = numbers<float>(series * steps);
  timeLaunches("smoothseries,slow", beginClean,
               [&] { slow<<<series / 128, 128>>>(a, b, series, steps, 0.3f); });
  timeLaunches("smoothseries,fast", beginClean,
               [&] { fast<<<series / 128, 128>>>(a, b, series, steps, 0.3f); });
}
