//===- integers.cu - Integers of 32 and 64 bits ----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../breadth-h200/common.h"

__global__ void xxhashes(const unsigned *a, unsigned *o, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned h = a[i] + 374761393u;
  for (int r = 0; r < rounds; ++r) {
    h += r * 3266489917u;
    h = (h << 17 | h >> 15) * 668265263u;
    h ^= h >> 15;
    h *= 2246822519u;
    h ^= h >> 13;
  }
  o[i] = h;
}

__global__ void philox(uint4 *o, int rounds) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 c = make_uint4(i, 1, 2, 3);
  unsigned k0 = 11, k1 = 13;
  for (int r = 0; r < rounds; ++r) {
    unsigned hi0 = __umulhi(0xd2511f53u, c.x), lo0 = 0xd2511f53u * c.x;
    unsigned hi1 = __umulhi(0xcd9e8d57u, c.z), lo1 = 0xcd9e8d57u * c.z;
    c = make_uint4(hi1 ^ c.y ^ k0, lo1, hi0 ^ c.w ^ k1, lo0);
    k0 += 0x9e3779b9u;
    k1 += 0xbb67ae85u;
  }
  o[i] = c;
}

__global__ void pcg64(const unsigned long long *seed, unsigned *o, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long s = seed[i];
  unsigned sum = 0;
  for (int r = 0; r < rounds; ++r) {
    s = s * 6364136223846793005ull + 1442695040888963407ull;
    unsigned x = unsigned((s >> 18 ^ s) >> 27), rot = unsigned(s >> 59);
    sum += x >> rot | x << (-rot & 31);
  }
  o[i] = sum;
}

__global__ void splitMix(unsigned long long *o, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long s = i, x = 0;
  for (int r = 0; r < rounds; ++r) {
    s += 0x9e3779b97f4a7c15ull;
    unsigned long long z = (s ^ s >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    x ^= z ^ z >> 31;
  }
  o[i] = x;
}

__global__ void montgomery(const unsigned *a, const unsigned *b, unsigned *o,
                           unsigned mod, unsigned inverse, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = a[i] % mod, y = b[i] % mod;
  for (int r = 0; r < rounds; ++r) {
    unsigned long long t = (unsigned long long)x * y;
    unsigned q = unsigned(t) * inverse;
    unsigned long long u = t + (unsigned long long)q * mod;
    unsigned v = unsigned(u >> 32);
    x = v >= mod ? v - mod : v;
  }
  o[i] = x;
}

__global__ void chacha(const uint4 *key, uint4 *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 a = key[0], b = key[1], c = key[2], d = key[3];
  d.x += i;
#define QUARTER(A, B, C, D)                                                    \
  A += B, D ^= A, D = D << 16 | D >> 16, C += D, B ^= C,                       \
                  B = B << 12 | B >> 20, A += B, D ^= A, D = D << 8 | D >> 24, \
                  C += D, B ^= C, B = B << 7 | B >> 25
  for (int r = 0; r < 20; r += 2) {
    QUARTER(a.x, b.x, c.x, d.x);
    QUARTER(a.y, b.y, c.y, d.y);
    QUARTER(a.z, b.z, c.z, d.z);
    QUARTER(a.w, b.w, c.w, d.w);
    QUARTER(a.x, b.y, c.z, d.w);
    QUARTER(a.y, b.z, c.w, d.x);
    QUARTER(a.z, b.w, c.x, d.y);
    QUARTER(a.w, b.x, c.y, d.z);
  }
  o[i] = make_uint4(a.x ^ b.x, a.y ^ c.y, b.z ^ d.z, c.w ^ d.w);
}

__global__ void decimalDigits(const unsigned *a, unsigned *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = a[i] | 0x80000000u, sum = 0;
  for (int d = 0; d < 9; ++d) {
    sum += v % 10;
    v /= 10;
  }
  o[i] = sum;
}

__global__ void mortonCodes(const unsigned *a, const unsigned *b, unsigned *o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned c = 0;
  for (int k = 0; k < 2; ++k) {
    unsigned x = (k ? a : b)[i] & 0xffff;
    x = (x | x << 8) & 0x00ff00ffu;
    x = (x | x << 4) & 0x0f0f0f0fu;
    x = (x | x << 2) & 0x33333333u;
    x = (x | x << 1) & 0x55555555u;
    c |= x << k;
  }
  o[i] = c;
}

__global__ void bitCounts(const unsigned *a, unsigned *o, int words) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  unsigned own = a[i], best = 64;
  for (int k = 0; k < words; ++k)
    best = min(best, (unsigned)__popc(own ^ a[(i + k * 32) & (n - 1)]));
  o[i] = best;
}

__global__ void wideSums(const unsigned *a, unsigned long long *o, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long s0 = 0, s1 = 0;
  unsigned x = a[i], y = x ^ 0x5bd1e995u;
  for (int r = 0; r < rounds; ++r) {
    s0 += (unsigned long long)x * y;
    s1 += (unsigned long long)x * x;
    x += 0x9e3779b9u;
    y ^= x >> 3;
  }
  o[i] = s0 ^ s1;
}

int main() {
  const int n = 1 << 20;
  int *a = numbers(n, 1u << 30), *b = numbers(n, 1u << 30);
  unsigned *ua = (unsigned *)a, *ub = (unsigned *)b, *o = cleared<unsigned>(n);
  unsigned long long *wide = cleared<unsigned long long>(n);
  uint4 *quads = cleared<uint4>(n);
  xxhashes<<<n / 256, 256>>>(ua, o, 64);
  philox<<<n / 256, 256>>>(quads, 10);
  pcg64<<<n / 2 / 256, 256>>>((unsigned long long *)a, o, 32);
  splitMix<<<n / 256, 256>>>(wide, 24);
  montgomery<<<n / 128, 128>>>(ua, ub, o, 998244353u, 998244351u, 48);
  chacha<<<n / 256, 256>>>((uint4 *)a, quads);
  decimalDigits<<<n / 256, 256>>>(ua, o, n);
  mortonCodes<<<n / 256, 256>>>(ua, ub, o);
  bitCounts<<<n / 256, 256>>>(ua, o, 64);
  wideSums<<<n / 256, 256>>>(ua, wide, 40);
  return finished("integers");
}
