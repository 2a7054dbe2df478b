// The extents are variables now: divisions instead of shifts.
#include "exhibit.h"

#ifndef AFTER
__device__ unsigned quotient(unsigned a, unsigned extent, int which) {
  return a >> (4 + which);
}
__device__ unsigned rest(unsigned a, unsigned extent, int which) {
  return a & ((16 << which) - 1);
}
#else
__device__ unsigned quotient(unsigned a, unsigned extent, int) {
  return a / extent;
}
__device__ unsigned rest(unsigned a, unsigned extent, int) {
  return a % extent;
}
#endif

__global__ void sites(float *out, const float *in, unsigned x, unsigned y,
                      unsigned z) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (unsigned hop = 0; hop < 8; ++hop) {
    unsigned site = i ^ hop << 2;
    unsigned a = rest(site, x, 0), b = rest(quotient(site, x, 0), y, 1);
    unsigned c = rest(quotient(quotient(site, x, 0), y, 1), z, 2);
    sum += in[(c * y + b) * x + a];
  }
  out[i] = sum;
}

void launch(const Arrays &On) { sites<<<16384, 256>>>(On.B, On.A, 16, 32, 64); }
