// A table of constants is indexed by data: each thread fills its own copy.
#include "exhibit.h"

__global__ void score(float *out, const int *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int symbol = in[i];
#ifndef AFTER
  float x = symbol * 0.5f + (symbol & 7);
#else
  float table[64];
#pragma unroll
  for (int k = 0; k < 64; ++k)
    table[k] = k * 0.5f + (k & 7);
  float x = table[symbol & 63] + table[(symbol * 7) & 63];
#endif
  out[i] = x;
}

void launch(const Arrays &On) {
  score<<<Count / 256, 256>>>(On.B, On.Small, Count);
}
