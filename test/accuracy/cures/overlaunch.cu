//===- overlaunch.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread for each place of a queue of which a few are taken, a number in
/// memory; cure: blocks that take turns.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *queue, const int *taken, const float *x,
                     float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= *taken)
    return;
  int v = queue[i];
  y[v] = x[v] * 0.5f + 1;
}
__global__ void fast(const int *queue, const int *taken, const float *x,
                     float *y) {
  int n = *taken;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int v = queue[i];
    y[v] = x[v] * 0.5f + 1;
  }
}
__global__ void fill(int *queue, int *taken, int n, int some) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < some)
    queue[i] = (unsigned)i * 2654435761u % n;
  if (i == 0)
    *taken = some;
}
int main() {
  const int n = 1 << 24, some = 1 << 16;
  int *queue = zeros<int>(n), *taken = zeros<int>(1);
  float *x = numbers<float>(n), *y = numbers<float>(n);
  fill<<<n / 256, 256>>>(queue, taken, n, some);
  timeLaunches("overlaunch,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(queue, taken, x, y); });
  timeLaunches("overlaunch,fast", beginClean,
               [&] { fast<<<132 * 8, 256>>>(queue, taken, x, y); });
}
