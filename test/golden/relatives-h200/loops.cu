//===- loops.cu - Long loops of few warps ----------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../breadth-h200/common.h"

__global__ void fullConvolution(const float *a, const float *b, float *o,
                                int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * n - 1)
    return;
  int lo = max(0, i - n + 1), hi = min(i, n - 1);
  float s = 0;
  for (int j = lo; j <= hi; ++j)
    s += a[j] * b[i - j];
  o[i] = s;
}

__global__ void autocorrelation(const float *a, float *o, int n) {
  int lag = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j + lag < n; ++j)
    s += a[j] * a[j + lag];
  o[lag] = s;
}

__global__ void rankByCount(const float *a, int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = a[i];
  int r = 0;
  for (int j = 0; j < n; ++j)
    r += a[j] < v;
  o[i] = r;
}

__global__ void twiceOver(const float *a, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int t = 0; t < 8; ++t)
    for (int j = 0; j < n; ++j)
      s += a[(i + j * 32) & (n * 32 - 1)];
  o[i] = s;
}

__global__ void palindromes(const int *a, int *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int s = 0;
  for (int j = 0; j < n; ++j)
    s += a[i + j] == a[i + n - 1 - j];
  o[i] = s;
}

__global__ void wrapAround(const float *a, float *o, int n, int period) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < n; ++j)
    s += a[i + (j % period) * 2048];
  o[i] = s;
}

__global__ void serialTail(const float *a, float *o, int n) {
  __shared__ float part[256];
  float s = 0;
  for (int j = threadIdx.x; j < n; j += 256)
    s += a[j];
  part[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 256; ++k)
      s += part[k];
    o[0] = s;
  }
}

__global__ void oneThread(const float *a, float *o, int n) {
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k];
    o[0] = s;
  }
}

__global__ void oneThreadStores(const int *a, int *o, int n) {
  if (threadIdx.x == 0) {
    int s = 0;
    for (int k = 0; k < n; ++k) {
      s += a[k];
      o[k] = s;
    }
  }
}

__global__ void lanesOwnRows(const float *a, float *o, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  float s = 0;
  for (int k = 0; k < n; ++k)
    s += a[i * n + k];
  o[i] = s;
}

__global__ void columnHistogram(const int *rows, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 8; ++k)
    atomicAdd(counts + (rows[(i >> 4)] + k * ((i & 15) + 1)) % 4096, 1);
}

int main() {
  const int n = 1 << 18;
  float *a = fractions(4 * n), *b = fractions(n), *o = cleared<float>(n);
  int *q = numbers(n, 8), *c = cleared<int>(n), *r = numbers(n, 200);
  fullConvolution<<<(2 * 3000 - 1 + 127) / 128, 128>>>(a, b, o, 3000);
  autocorrelation<<<32, 128>>>(a, o, 8192);
  rankByCount<<<64, 128>>>(a, c, 8192);
  twiceOver<<<66, 128>>>(a, o, 256);
  palindromes<<<128, 128>>>(q, c, 512);
  wrapAround<<<16, 128>>>(a, o, 512, 24);
  serialTail<<<1, 256>>>(a, o, 4096);
  oneThread<<<1, 32>>>(a, o, 4096);
  oneThreadStores<<<1, 32>>>(q, c, 2048);
  lanesOwnRows<<<16, 128>>>(a, o, 256);
  columnHistogram<<<128, 256>>>(r, c, n);
  return finished("loops");
}
