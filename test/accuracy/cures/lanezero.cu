//===- lanezero.cu - one lane of each warp walks the row -------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *rows, float *mean, int count, int length) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (warp < count && lane == 0) {
    const float *row = rows + (size_t)warp * length;
    float sum = 0;
    int k = 0;
    do {
      sum += row[k++];
    } while (k < length);
    mean[warp] = sum / length;
  }
}
__global__ void fast(const float *rows, float *mean, int count, int length) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (warp >= count)
    return;
  const float *row = rows + (size_t)warp * length;
  float sum = 0;
  for (int k = lane; k < length; k += 32)
    sum += row[k];
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (lane == 0)
    mean[warp] = sum / length;
}
int main() {
  const int count = 8192, length = 1024;
  float *rows = numbers<float>((size_t)count * length),
        *mean = numbers<float>(count);
  timeLaunches("lanezero,slow", beginClean,
               [&] { slow<<<count / 8, 256>>>(rows, mean, count, length); });
  timeLaunches("lanezero,fast", beginClean,
               [&] { fast<<<count / 8, 256>>>(rows, mean, count, length); });
}
