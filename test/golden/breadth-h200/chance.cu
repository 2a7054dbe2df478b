//===- chance.cu - Random numbers and whole numbers ------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

__global__ void linearCongruential(unsigned *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = i;
  for (int k = 0; k < rounds; ++k)
    s = s * 1664525u + 1013904223u;
  out[i] = s;
}

__global__ void xorshift64(unsigned long long *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long s = i + 88172645463325252ull, sum = 0;
  for (int k = 0; k < rounds; ++k) {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    sum += s * 2685821657736338717ull;
  }
  out[i] = sum;
}

__global__ void philoxNormals(float2 *out, unsigned seed) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned c[4] = {i, 0, 0, 0}, k0 = seed, k1 = seed ^ 0xdeadbeefu;
#pragma unroll
  for (int r = 0; r < 10; ++r) {
    unsigned h0 = __umulhi(0xD2511F53u, c[0]), l0 = 0xD2511F53u * c[0];
    unsigned h1 = __umulhi(0xCD9E8D57u, c[2]), l1 = 0xCD9E8D57u * c[2];
    c[0] = h1 ^ c[1] ^ k0;
    c[1] = l1;
    c[2] = h0 ^ c[3] ^ k1;
    c[3] = l0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  float u = (c[0] + 1.0f) * 2.3283064e-10f, v = c[1] * 2.3283064e-10f;
  float radius = sqrtf(-2 * logf(u)), s, t;
  sincospif(2 * v, &s, &t);
  out[i] = make_float2(radius * s, radius * t);
}

__global__ void piByDarts(unsigned *hits, int darts) {
  unsigned s = (blockIdx.x * blockDim.x + threadIdx.x) * 747796405u + 1,
           found = 0;
  for (int k = 0; k < darts; ++k) {
    s = s * 1664525u + 1013904223u;
    float x = (s >> 8) * (1.0f / (1 << 24));
    s = s * 1664525u + 1013904223u;
    float y = (s >> 8) * (1.0f / (1 << 24));
    if (x * x + y * y < 1)
      ++found;
  }
  atomicAdd(hits, found);
}

// A walker stops when it leaves a square.
__global__ void walkers(int *steps, int side, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = i * 2654435761u + 12345;
  int x = side / 2, y = side / 2, n = 0;
  while (n < most) {
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    switch (s >> 30) {
    case 0:
      ++x;
      break;
    case 1:
      --x;
      break;
    case 2:
      ++y;
      break;
    default:
      --y;
    }
    ++n;
    if (x < 0 || y < 0 || x >= side || y >= side)
      break;
  }
  steps[i] = n;
}

__global__ void asianOption(float *price, int days, float rate, float sigma) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = i * 9781u + 7;
  float spot = 100, sum = 0, dt = 1.0f / days, root = sqrtf(dt);
  for (int d = 0; d < days; ++d) {
    s = s * 1664525u + 1013904223u;
    float u = ((s >> 8) + 1) * (1.0f / (1 << 24));
    s = s * 1664525u + 1013904223u;
    float v = (s >> 8) * (1.0f / (1 << 24));
    float z = sqrtf(-2 * __logf(u)) * __cosf(6.2831853f * v);
    spot *= __expf((rate - 0.5f * sigma * sigma) * dt + sigma * root * z);
    sum += spot;
  }
  price[i] = fmaxf(sum / days - 100, 0.0f);
}

__global__ void divideByRuntime(const int *in, int *out, int n, int rows,
                                int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int plane = i / (rows * columns), rest = i % (rows * columns);
  int row = rest / columns, column = rest % columns;
  out[(plane * columns + column) * rows + row] = in[i];
}

__global__ void longModulo(const unsigned long long *in,
                           unsigned long long *out, unsigned long long by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long x = in[i];
  for (int k = 0; k < 8; ++k)
    x = (x * 6364136223846793005ull + k) % by;
  out[i] = x;
}

__global__ void powerModulo(const int *base, int *out, unsigned exponent,
                            unsigned modulus) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long b = base[i], r = 1;
  for (unsigned e = exponent; e; e >>= 1) {
    if (e & 1)
      r = r * b % modulus;
    b = b * b % modulus;
  }
  out[i] = (int)r;
}

__global__ void greatestDivisor(const int *a, const int *b, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = a[i], y = b[i];
  while (y) {
    int t = x % y;
    x = y;
    y = t;
  }
  out[i] = x;
}

__global__ void sieveOdd(unsigned char *composite, int limit) {
  int p = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + 3;
  if (p * p > limit || composite[p])
    return;
  for (int m = p * p; m < limit; m += 2 * p)
    composite[m] = 1;
}

int main() {
  const int n = 1 << 18;
  int *in = numbers(2 * n, 1 << 30), *out = cleared<int>(4 * n);
  linearCongruential<<<n / 256, 256>>>((unsigned *)out, 500);
  xorshift64<<<n / 256, 256>>>((unsigned long long *)out, 100);
  philoxNormals<<<2 * n / 256, 256>>>((float2 *)out, 42);
  piByDarts<<<264, 128>>>((unsigned *)out, 400);
  walkers<<<n / 8 / 128, 128>>>(out, 30, 2000);
  asianOption<<<n / 4 / 256, 256>>>((float *)out, 64, 0.03f, 0.2f);
  divideByRuntime<<<n / 256, 256>>>(in, out, n, 37, 53);
  longModulo<<<n / 4 / 128, 128>>>((unsigned long long *)in,
                                   (unsigned long long *)out, 1000000007ull);
  powerModulo<<<n / 4 / 128, 128>>>(in, out, 65537, 998244353);
  greatestDivisor<<<n / 128, 128>>>(in, in + n, out);
  sieveOdd<<<8, 64>>>((unsigned char *)out, 1 << 20);
  return finished("chance");
}
