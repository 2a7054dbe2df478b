//===- walks.cu - Loops and indices of many kinds --------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

// Each thread looks for the first number of its row over a limit.
__global__ void firstOver(const int *in, int *out, int rows, int columns,
                          int limit) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int at = -1;
  for (int c = 0; c < columns; ++c)
    if (in[c * rows + row] > limit) {
      at = c;
      break;
    }
  out[row] = at;
}

__global__ void pointerWalk(const float *p, float *out, const int *stride,
                            int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int by = *stride;
  p += i;
  float sum = 0;
  for (int n = steps; n > 0; n -= 2) {
    sum += *p;
    p += by;
  }
  out[i] = sum;
}

__global__ void wideIndices(const double *a, double *b, unsigned long long n) {
  unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
  for (unsigned long long i =
           (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
       i < n; i += step)
    b[n - 1 - i] = a[i] * 1.5 + (double)(i % 7);
}

__global__ void triangular(const float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float sum = 0;
  for (int j = 0; j <= i; ++j)
    sum += a[j] * a[i - j];
  out[i] = sum;
}

__global__ void eightCases(const int *op, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = x[i];
  switch (op[i]) {
  case 0:
    v = v * v + 1;
    break;
  case 1:
    v = sqrtf(v);
    break;
  case 2:
    v = 1 / (v + 0.5f);
    break;
  case 3:
    v = __expf(v);
    break;
  case 4:
    v = sinf(v);
    break;
  case 5:
    v = v > 0.5f ? v - 0.5f : v;
    break;
  case 6:
    for (int k = 0; k < 4; ++k)
      v = v * 0.9f + 0.01f;
    break;
  case 7:
    v = fabsf(v - y[i]);
    break;
  }
  y[i] = v;
}

__global__ void localBins(const int *in, int *out, int perThread) {
  int bins[16] = {};
  int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int k = 0; k < perThread; ++k)
    bins[in[k * all + i] & 15]++;
  for (int b = 0; b < 16; ++b)
    out[b * all + i] = bins[b];
}

__global__ void smallBlocks(const float *a, float *b) {
  int i = blockIdx.x * 32 + threadIdx.x;
  b[i] = a[i] * 2 + 1;
}

__global__ void hugeBlocks(const float *a, float *b, int rounds) {
  int i = blockIdx.x * 1024 + threadIdx.x;
  float x = a[i];
  for (int k = 0; k < rounds; ++k) {
    __syncthreads();
    x = x * 0.5f + 0.25f;
  }
  b[i] = x;
}

__global__ void fewBlocksSum(const float4 *a, float *out, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float4 v = a[i];
    sum += v.x + v.y + v.z + v.w;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void collatz(int *longest, int first) {
  unsigned n = first + blockIdx.x * blockDim.x + threadIdx.x;
  int steps = 0;
  while (n != 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    ++steps;
  }
  longest[blockIdx.x * blockDim.x + threadIdx.x] = steps;
}

int main() {
  const int n = 1 << 18;
  int *in = numbers(64 * n, 1000), *out = cleared<int>(16 * n);
  float *f = fractions(64 * n), *g = cleared<float>(4 * n);
  int by = n;
  int *stride = uploaded(std::vector<int>{by});
  double *d = cleared<double>(4 * n), *e = cleared<double>(4 * n);
  firstOver<<<n / 256, 256>>>(in, out, n, 64, 900);
  pointerWalk<<<n / 2 / 128, 128>>>(f, g, stride, 60);
  wideIndices<<<528, 256>>>(d, e, 4ull * n - 5);
  triangular<<<(6000 + 127) / 128, 128>>>(f, g, 6000);
  int *op = numbers(n, 8);
  eightCases<<<n / 256, 256>>>(op, f, g, n);
  localBins<<<n / 4 / 128, 128>>>(in, out, 48);
  smallBlocks<<<4 * n / 32, 32>>>(f, g);
  hugeBlocks<<<4 * n / 1024, 1024>>>(f, g, 20);
  fewBlocksSum<<<12, 512>>>((float4 *)f, g, n);
  collatz<<<n / 256, 256>>>(out, 27);
  return finished("walks");
}
