//===- layernorm.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread a row, three times through it; cure: a warp a row.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int rows, int d) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  const float *v = in + (size_t)r * d;
  float mean = 0, var = 0;
  for (int k = 0; k < d; k++)
    mean += v[k];
  mean /= d;
  for (int k = 0; k < d; k++)
    var += (v[k] - mean) * (v[k] - mean);
  float inv = rsqrtf(var / d + 1e-5f);
  for (int k = 0; k < d; k++)
    out[(size_t)r * d + k] = (v[k] - mean) * inv;
}
__global__ void fast(const float *in, float *out, int rows, int d) {
  int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= rows)
    return;
  const float *v = in + (size_t)r * d;
  float mean = 0, var = 0;
  for (int k = lane; k < d; k += 32)
    mean += v[k];
  for (int o = 16; o; o /= 2)
    mean += __shfl_xor_sync(~0u, mean, o);
  mean /= d;
  for (int k = lane; k < d; k += 32)
    var += (v[k] - mean) * (v[k] - mean);
  for (int o = 16; o; o /= 2)
    var += __shfl_xor_sync(~0u, var, o);
  float inv = rsqrtf(var / d + 1e-5f);
  for (int k = lane; k < d; k += 32)
    out[(size_t)r * d + k] = (v[k] - mean) * inv;
}
int main() {
  const int rows = 1 << 15, d = 512;
  float *a = numbers<float>(rows * d), *b = numbers<float>(rows * d);
  timeLaunches("layernorm,slow", beginClean,
               [&] { slow<<<rows / 128, 128>>>(a, b, rows, d); });
  timeLaunches("layernorm,fast", beginClean,
               [&] { fast<<<rows / 8, 256>>>(a, b, rows, d); });
}
