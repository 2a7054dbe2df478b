//===- uneven.cu - Warps of a block that do unlike work --------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../breadth-h200/common.h"

__global__ void sumInPlace(double *a, double *o) {
  double *own = a + 1024 * blockIdx.x;
  for (int stride = blockDim.x; stride >= 1; stride /= 2) {
    if (threadIdx.x < stride)
      own[threadIdx.x] += own[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    o[blockIdx.x] = own[0];
}

__global__ void maxInPlace(int *a, int *o) {
  int *own = a + 2 * blockDim.x * blockIdx.x;
  for (int stride = blockDim.x; stride > 0; stride >>= 1) {
    if (threadIdx.x < stride)
      own[threadIdx.x] = max(own[threadIdx.x], own[threadIdx.x + stride]);
    __syncthreads();
  }
  if (threadIdx.x == 0)
    o[blockIdx.x] = own[0];
}

// Solves a triangular system of one block's size, column by column.
__global__ void forwardColumns(const float *l, float *b, int n) {
  float *x = b + n * blockIdx.x;
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x > k)
      x[threadIdx.x] -= l[k * n + threadIdx.x] * x[k];
    __syncthreads();
  }
}

// Takes rows below the pivot off, in global memory.
__global__ void eliminateRows(float *a, int n) {
  float *m = a + n * n * blockIdx.x;
  int row = threadIdx.x;
  for (int k = 0; k + 1 < n; ++k) {
    if (row > k) {
      float f = m[k * n + row] / m[k * n + k];
      for (int j = k + 1; j < n; ++j)
        m[j * n + row] -= f * m[j * n + k];
    }
    __syncthreads();
  }
}

// A warp smooths its own 128 numbers as often as its count says.
__global__ void smoothOften(const int *times, const float *a, float *o) {
  int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  const float *own = a + 128 * warp;
  float sum = 0;
  for (int r = 0; r < times[warp]; ++r)
    for (int k = 0; k < 4; ++k)
      sum = 0.5f * (sum + own[32 * k + lane]);
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Each warp walks a table as often as it has a number in its block.
__global__ void growingPasses(const float *table, float *o, int words) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (int pass = 0; pass <= warp * warp; ++pass)
    for (int k = lane; k < words; k += 32)
      sum += table[k] * pass;
  __syncthreads();
  o[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Newton steps for roots, with the coefficients of a warp's row.
__global__ void rowRoots(const float *coefficients, const float *start,
                         float *o, int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float *row = coefficients + (i / 32) * degree;
  float x = start[i];
  for (int step = 0; step < 40; ++step) {
    float value = 0, slope = 0;
    for (int k = 0; k < degree; ++k) {
      slope = slope * x + value;
      value = value * x + row[k];
    }
    if (!__any_sync(~0u, fabsf(value) > 1e-3f))
      break;
    x -= value / slope;
  }
  o[i] = x;
}

// Rows of a lower triangle, a warp each, that read the same vector.
__global__ void lowerRows(const float *l, const float *x, float *y, int n) {
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int row = warp * gridDim.x + blockIdx.x;
  float sum = 0;
  for (int j = lane; j <= row; j += 32)
    sum += l[(size_t)row * n + j] * x[j];
  for (int step = 16; step; step /= 2)
    sum += __shfl_down_sync(~0u, sum, step);
  if (lane == 0)
    y[row] = sum;
}

// The first warp scans what all have counted.
__global__ void scanByFirst(const int *a, int *partial, int *o, int passes) {
  int *own = partial + blockDim.x * blockIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  own[threadIdx.x] = a[i];
  __syncthreads();
  if (threadIdx.x < 32)
    for (int pass = 0; pass < passes; ++pass) {
      int run = 0;
      for (int k = threadIdx.x; k < blockDim.x; k += 32)
        run += own[k];
      own[threadIdx.x] = run & 1023;
      __syncwarp();
    }
  __syncthreads();
  o[i] = own[threadIdx.x];
}

int main() {
  const int n = 1 << 20;
  double *d = cleared<double>(n);
  float *f = fractions(n), *g = fractions(n), *o = cleared<float>(n);
  int *i = numbers(n, 1000), *p = cleared<int>(n);
  sumInPlace<<<16, 512>>>(d, (double *)o);
  maxInPlace<<<1, 1024>>>(i, p);
  maxInPlace<<<264, 256>>>(i, p);
  forwardColumns<<<132, 256>>>(f, g, 256);
  eliminateRows<<<64, 96>>>(fractions(64 * 96 * 96), 96);
  smoothOften<<<n / 128 / 8, 256>>>(numbers(n / 128, 40), f, o);
  growingPasses<<<132, 256>>>(f, o, 2048);
  rowRoots<<<512, 128>>>(f, fractions(1 << 16), o, 12);
  lowerRows<<<128, 256>>>(fractions(1024 * 1024), g, o, 1024);
  scanByFirst<<<132, 512>>>(i, p, (int *)o, 12);
  return finished("uneven");
}
