//===- sized.cu - Counted work over many blocks ----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

__global__ void logisticMap(const float *in, float *out, int rounds, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i], sum = 0;
  for (int k = 0; k < rounds; ++k) {
    x = 3.7f * x * (1 - x);
    sum += x > 0.5f ? x : -x;
  }
  out[i] = sum;
}

__global__ void divideOften(const float *in, float *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i] + 1, y = x;
  for (int k = 0; k < rounds; ++k)
    y = (y + x / y) / 2.1f;
  out[i] = y;
}

__global__ void doubleSeries(const double *in, double *out, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = in[i], term = 1, sum = 1;
  for (int k = 1; k <= terms; ++k) {
    term *= x / k;
    sum += term;
  }
  out[i] = sum;
}

__global__ void digitSums(const unsigned *in, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[i], s = 0;
  while (x) {
    s += x % 10;
    x /= 10;
  }
  out[i] = s;
}

__global__ void wideSums(const int *in, long long *out, int each) {
  long long s = 0;
  const int *p = in + (size_t)(blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int k = 0; k < each; ++k)
    s += (long long)p[k] * p[k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void sinesOf(const float *in, float *out, int waves) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i], s = 0;
  for (int k = 1; k <= waves; ++k)
    s += sinf(k * x) / k;
  out[i] = s;
}

__global__ void stridedColumns(const float *in, float *out, int rows,
                               int columns) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int c = 0; c < columns; ++c)
    s += in[r * columns + c];
  out[r] = s;
}

__global__ void scatterRandom(const int *to, const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[to[i]] = in[i];
}

__global__ void sharedReverse(const int *in, int *out, int rounds) {
  __shared__ int line[1024];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  line[threadIdx.x] = in[i];
  for (int k = 0; k < rounds; ++k) {
    __syncthreads();
    int v = line[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    line[threadIdx.x] = v + 1;
  }
  out[i] = line[threadIdx.x];
}

__global__ void bankConflicts(const int *in, int *out, int stride, int rounds) {
  __shared__ int line[4096];
  for (int k = threadIdx.x; k < 4096; k += blockDim.x)
    line[k] = in[k];
  __syncthreads();
  int at = threadIdx.x * stride & 4095, s = 0;
  for (int k = 0; k < rounds; ++k) {
    s += line[at];
    at = (at + 33) & 4095;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void maximumByLock(const float *in, int *lock, float *best) {
  float v = in[blockIdx.x * blockDim.x + threadIdx.x];
  for (int o = 16; o; o /= 2)
    v = fmaxf(v, __shfl_xor_sync(~0u, v, o));
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0, 1) != 0)
      ;
    __threadfence();
    if (v > *best)
      *best = v;
    __threadfence();
    atomicExch(lock, 0);
  }
}

__global__ void lastBlockSums(const float *in, float *part, unsigned *done,
                              float *out, int n) {
  __shared__ float line[256];
  __shared__ bool last;
  float s = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    s += in[i];
  line[threadIdx.x] = s;
  __syncthreads();
  for (int k = 128; k; k /= 2) {
    if (threadIdx.x < k)
      line[threadIdx.x] += line[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    part[blockIdx.x] = line[0];
    __threadfence();
    last = atomicAdd(done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0;
    for (int b = 0; b < gridDim.x; ++b)
      total += part[b];
    *out = total;
  }
}

int main() {
  const int n = 1 << 20;
  float *f = fractions(8 * n), *g = cleared<float>(8 * n);
  logisticMap<<<n / 256, 256>>>(f, g, 300, n);
  divideOften<<<n / 256, 256>>>(f, g, 30);
  doubleSeries<<<n / 8 / 128, 128>>>((double *)g, (double *)f, 25);
  int *in = numbers(2 * n, 1 << 30);
  digitSums<<<n / 256, 256>>>((unsigned *)in, (unsigned *)g);
  wideSums<<<n / 32 / 128, 128>>>(in, (long long *)g, 30);
  sinesOf<<<n / 4 / 256, 256>>>((float *)in, g, 10);
  stridedColumns<<<n / 64 / 128, 128>>>((float *)in, g, n / 64, 100);
  scatterRandom<<<n / 256, 256>>>(numbers(n, n), f, g);
  sharedReverse<<<1056, 640>>>(in, (int *)g, 40);
  bankConflicts<<<528, 256>>>(in, (int *)g, 8, 200);
  maximumByLock<<<2000, 32>>>(f, cleared<int>(1), g);
  lastBlockSums<<<528, 256>>>(f, g, cleared<unsigned>(1), g + 600,
                              8 * n - 1000);
  return finished("sized");
}
