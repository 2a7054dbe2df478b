// Elements of order eight: planes of 8 x 8 are read along the slow axis,
// unpadded.
#include "exhibit.h"

#ifndef AFTER
constexpr int Line = 8, Plane = 65;
#else
constexpr int Line = 8, Plane = 64;
#endif

__global__ void derivative(float *out, const float *in, const float *d) {
  __shared__ float u[8 * Plane];
  __shared__ float factors[64];
  int i = threadIdx.x & 7, j = threadIdx.x >> 3 & 7, k = threadIdx.x >> 6;
  if (threadIdx.x < 64)
    factors[threadIdx.x] = d[threadIdx.x];
  u[k * Plane + j * Line + i] = in[blockIdx.x * 512 + threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int l = 0; l < 8; ++l)
    sum = fmaf(factors[l * 8 + k], u[i * Plane + j * Line + l], sum);
#pragma unroll
  for (int l = 0; l < 8; ++l)
    sum = fmaf(factors[l * 8 + j], u[i * Plane + l * Line + k], sum);
  out[blockIdx.x * 512 + threadIdx.x] = sum;
}

void launch(const Arrays &On) { derivative<<<16384, 512>>>(On.B, On.A, On.C); }
