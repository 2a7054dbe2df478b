//===- calls.cu - Calls of functions that stay functions -------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../breadth-h200/common.h"

__noinline__ __device__ float dist(float ax, float ay, float bx, float by) {
  float dx = ax - bx, dy = ay - by;
  return sqrtf(dx * dx + dy * dy);
}

__noinline__ __device__ unsigned hash(unsigned k) {
  k ^= k >> 16;
  k *= 0x85ebca6b;
  k ^= k >> 13;
  k *= 0xc2b2ae35;
  k ^= k >> 16;
  return k;
}

__noinline__ __device__ float3 cross3(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                     a.x * b.y - a.y * b.x);
}

__noinline__ __device__ float inner(float x, float y) { return x * y + 0.5f; }

__noinline__ __device__ float outer(float x, float y) {
  return inner(x, y) * inner(y, x) + x;
}

__noinline__ __device__ float poly(float x, const float *c) {
  float s = c[0];
#pragma unroll
  for (int k = 1; k < 12; ++k)
    s = s * x + c[k];
  return s;
}

__noinline__ __device__ int clampTo(int v, int lo, int hi) {
  return v < lo ? lo : v > hi ? hi : v;
}

__noinline__ __device__ double dsum(double a, double b) { return a * b + a; }

__global__ void nearestOf(const float4 *p, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 a = p[i];
  float s = 1e9f;
  for (int k = 0; k < n; ++k) {
    float4 b = p[k];
    s = fminf(s, dist(a.x, a.y, b.x, b.y));
    s = fminf(s, dist(a.z, a.w, b.z, b.w));
  }
  o[i] = s;
}

__global__ void hashRounds(const unsigned *p, unsigned *o, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = p[i];
  for (int k = 0; k < rounds; ++k)
    h = hash(h + k);
  o[i] = h;
}

__global__ void crossRounds(const float *p, float *o, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float3 a = make_float3(p[i], p[i + n], p[i + 2 * n]),
         b = make_float3(p[i + 3 * n], p[i + 4 * n], p[i + 5 * n]);
  for (int k = 0; k < rounds; ++k) {
    float3 c = cross3(a, b);
    b = a;
    a = c;
  }
  o[i] = a.x + a.y + a.z;
}

__global__ void nestedCalls(const float *p, float *o, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = p[i], y = x * 0.5f;
  for (int k = 0; k < rounds; ++k) {
    x = outer(x, y);
    y = x * 0.25f;
  }
  o[i] = x + y;
}

__global__ void polyOnce(const float *p, const float *c, float *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = poly(p[i], c);
}

__global__ void clampRows(const int *p, int *o, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = p[i];
  for (int k = 0; k < rounds; ++k)
    v = clampTo(v * 3 + k, -100, 100 + i);
  o[i] = v;
}

__global__ void doubleCalls(const double *p, double *o, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = p[i];
  for (int k = 0; k < rounds; ++k)
    v = dsum(v, 0.25 * v);
  o[i] = v;
}

int main() {
  const int n = 1 << 18;
  float *a = fractions(8 * n), *b = cleared<float>(8 * n);
  int *q = numbers(n, 1000), *o = cleared<int>(n);
  nearestOf<<<n / 256, 256>>>((float4 *)a, b, 64);
  hashRounds<<<n / 256, 256>>>((unsigned *)q, (unsigned *)o, 64);
  crossRounds<<<n / 256, 256>>>(a, b, n, 40);
  nestedCalls<<<n / 256, 256>>>(a, b, 30);
  nestedCalls<<<33, 64>>>(a, b, 31);
  polyOnce<<<8 * n / 256, 256>>>(a, a, b);
  clampRows<<<n / 256, 256>>>(q, o, 50);
  hashRounds<<<20, 128>>>((unsigned *)q, (unsigned *)o, 128);
  doubleCalls<<<n / 512, 256>>>((double *)a, (double *)b, 20);
  return finished("calls");
}
