//===- changedflag.cu - A kernel with one finding -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A step of Jacobi that stores to one flag wherever a value changes; cure: one
/// store a block.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int *changed, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int i = y * n + x;
  if (x >= n - 1 || y >= n - 1)
    return;
  float v = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
  out[i] = v;
  if (fabsf(v - in[i]) > 1e-6f)
    *changed = 1;
}
__global__ void fast(const float *in, float *out, int *changed, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int i = y * n + x, differs = 0;
  if (x < n - 1 && y < n - 1) {
    float v = 0.25f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    out[i] = v;
    differs = fabsf(v - in[i]) > 1e-6f;
  }
  differs = __syncthreads_or(differs);
  if (differs && threadIdx.x == 0 && threadIdx.y == 0)
    *changed = 1;
}
__global__ void rows(const float *in, float *out, int *changed, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * 8 + 1;
  if (x >= n - 1)
    return;
  float north = in[(y - 1) * n + x], v = in[y * n + x];
  for (int k = 0; k < 8 && y < n - 1; k++, y++) {
    int i = y * n + x;
    float south = in[i + n];
    float next = 0.25f * (in[i - 1] + in[i + 1] + north + south);
    out[i] = next;
    if (fabsf(next - v) > 1e-6f)
      *changed = 1;
    north = v;
    v = south;
  }
}
__global__ void fill(float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    in[i] = i % 7 * 0.1f;
}
int main() {
  const int n = 4096;
  float *a = numbers<float>(n * n), *b = numbers<float>(n * n);
  int *c = zeros<int>(1);
  fill<<<n * n / 256, 256>>>(a, n * n);
  timeLaunches("changedflag,slow", beginClean,
               [&] { slow<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, c, n); });
  timeLaunches("changedflag,fast", beginClean,
               [&] { fast<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(a, b, c, n); });
  timeLaunches("changedflag,rows", beginClean,
               [&] { rows<<<dim3(n / 32, n / 8), 32>>>(a, b, c, n); });
}
