// A feature that nobody uses is chosen at run time instead of by a template.
#include "exhibit.h"

__device__ float correction(float x, const float *table) {
  float terms[80];
#pragma unroll
  for (int k = 0; k < 80; ++k)
    terms[k] = table[k] * x;
#pragma unroll
  for (int round = 0; round < 4; ++round)
#pragma unroll
    for (int k = 0; k < 80; ++k)
      terms[k] = fmaf(terms[k], terms[(k + 37) % 80], x);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 80; ++k)
    sum += terms[k];
  return sum;
}

__global__ void push(float *out, const float *in, const float *table, int n,
                     int feature) {
#pragma unroll 1
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    float x = in[i];
#ifdef AFTER
    if (feature)
      x += correction(x, table);
#endif
    out[i] = x * x + 1;
  }
}

void launch(const Arrays &On) {
  push<<<1056, 256>>>(On.B, On.A, On.C, Count, 0);
}
