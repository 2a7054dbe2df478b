//===- functions.cu - Special functions and bit tricks ---------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

__global__ void powers(const float *x, float *y, float exponent) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = powf(x[i], exponent) + expf(-x[i]) * sinf(x[i] * 20) + log1pf(x[i]);
}

__global__ void doubleFunctions(const double *x, double *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = exp(-x[i]) * cos(x[i]) + log(x[i] + 1.5);
}

__global__ void doubleRoots(const double *x, double *y, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double v = x[i] + 2, r = 1;
  for (int k = 0; k < steps; ++k)
    r = 0.5 * (r + v / r);
  y[i] = r + sqrt(v);
}

__global__ void normalCdf(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 0.5f * erfcf(-x[i] * 0.70710678f) + tgammaf(x[i] + 1) + cbrtf(x[i]);
}

__global__ void largeAngles(const float *x, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = sinf(x[i] * 1e6f) + fmodf(x[i] * 1000, 0.37f) + atan2f(x[i], 0.5f);
}

__global__ void bitTricks(const unsigned *in, unsigned *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = in[i];
  unsigned r = __popc(x) + 32 * __clz(x | 1) + (__brev(x) >> 5) + __ffs(x);
  r ^= __byte_perm(x, r, 0x4152) + __funnelshift_l(x, r, 7);
  out[i] = r;
}

__global__ void morton(const unsigned *x, const unsigned *y,
                       unsigned long long *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long code = 0;
  for (int b = 0; b < 32; ++b)
    code |= (unsigned long long)(x[i] >> b & 1) << (2 * b) |
            (unsigned long long)(y[i] >> b & 1) << (2 * b + 1);
  out[i] = code;
}

__global__ void hammingNearest(const unsigned *query, const unsigned *base,
                               int count, int *best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned q[8];
  for (int w = 0; w < 8; ++w)
    q[w] = query[i * 8 + w];
  int nearest = 1000, at = -1;
  for (int b = 0; b < count; ++b) {
    int d = 0;
    for (int w = 0; w < 8; ++w)
      d += __popc(q[w] ^ base[b * 8 + w]);
    if (d < nearest) {
      nearest = d;
      at = b;
    }
  }
  best[i] = at;
}

__global__ void stringFind(const char *text, int n, const char *pattern,
                           int length, int *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + length > n)
    return;
  int k = 0;
  while (k < length && text[i + k] == pattern[k])
    ++k;
  if (k == length)
    atomicAdd(found, 1);
}

__global__ void commonPrefix(const char *words, int width, int *length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const char *a = words + (size_t)i * width, *b = a + width;
  int k = 0;
  while (k < width && a[k] == b[k])
    ++k;
  length[i] = k;
}

__global__ void runLengths(const unsigned char *in, int n, int *run) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || (i > 0 && in[i] == in[i - 1]))
    return;
  int k = i + 1;
  while (k < n && in[k] == in[i])
    ++k;
  run[i] = k - i;
}

int main() {
  const int n = 1 << 19;
  float *x = fractions(2 * n), *y = cleared<float>(2 * n);
  powers<<<n / 256, 256>>>(x, y, 2.4f);
  std::vector<double> values(n);
  for (double &v : values)
    v = drawn() * 1e-9;
  double *d = uploaded(values), *e = cleared<double>(n);
  doubleFunctions<<<n / 256, 256>>>(d, e);
  doubleRoots<<<n / 4 / 128, 128>>>(d, e, 12);
  normalCdf<<<n / 256, 256>>>(x, y);
  largeAngles<<<n / 256, 256>>>(x, y);
  unsigned *bits = (unsigned *)numbers(2 * n, ~0u),
           *out = cleared<unsigned>(2 * n);
  bitTricks<<<n / 256, 256>>>(bits, out);
  morton<<<n / 256, 256>>>(bits, bits + n, (unsigned long long *)out);
  hammingNearest<<<8192 / 64, 64>>>(bits, bits + 65536, 1000, (int *)out);
  std::vector<char> text(2 * n);
  for (char &c : text)
    c = drawn() % 8 ? 'a' : 'b';
  char *t = uploaded(text);
  stringFind<<<2 * n / 256, 256>>>(t, 2 * n, t + 1000, 40, (int *)out);
  commonPrefix<<<n / 16 / 128, 128>>>(t, 24, (int *)out);
  runLengths<<<2 * n / 256, 256>>>((unsigned char *)t, 2 * n, (int *)y);
  return finished("functions");
}
