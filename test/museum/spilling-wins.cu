// Twice the blocks for some values on the stack: the loop waits for memory half
// as long.
#include "exhibit.h"

#ifndef AFTER
#define BOUNDS __launch_bounds__(256)
#else
#define BOUNDS __launch_bounds__(256, 4)
#endif

__global__ void BOUNDS embedding(float *out, const float *in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float kept[72];
#pragma unroll
  for (int k = 0; k < 72; ++k)
    kept[k] = in[i + k * 512] * in[i + k];
  float sum = 0;
#pragma unroll 1
  for (int at = i; at < n; at += gridDim.x * 256)
    sum = fmaf(sum, 0.5f, in[at]);
#pragma unroll
  for (int k = 0; k < 72; ++k)
    sum = fmaf(sum, sum, kept[k]);
  out[i] = sum;
}

void launch(const Arrays &On) { embedding<<<528, 256>>>(On.B, On.A, Count); }
