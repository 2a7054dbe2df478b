//===- eliminate.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A step of Gauss's elimination, neighbouring threads on rows, a division for
/// each element; cure: neighbours on columns.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *a, int n, int k) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int col = blockIdx.y * blockDim.y + threadIdx.y;
  if (row <= k || col <= k || row >= n || col >= n)
    return;
  a[row * n + col] -= a[row * n + k] / a[k * n + k] * a[k * n + col];
}
__global__ void fast(float *a, int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row <= k || col <= k || row >= n || col >= n)
    return;
  a[row * n + col] -= a[row * n + k] / a[k * n + k] * a[k * n + col];
}
__global__ void fill(float *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n)
    a[i] = i % (n + 1) ? 0.01f : 2.0f;
}
int main() {
  const int n = 4096;
  float *a = numbers<float>(n * n);
  fill<<<n * n / 256, 256>>>(a, n);
  timeLaunches("eliminate,slow", beginClean,
               [&] { slow<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, n, 5); });
  timeLaunches("eliminate,fast", beginClean,
               [&] { fast<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, n, 5); });
}
