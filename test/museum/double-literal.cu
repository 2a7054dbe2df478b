// A literal without its f makes every operand a double.
#include "exhibit.h"

#ifndef AFTER
#define HALF 0.5f
#else
#define HALF 0.5
#endif

__global__ void relax(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  for (int k = 0; k < 64; ++k)
    x = x * (1 - x * HALF) + 0.125f * k;
  out[i] = x;
}

void launch(const Arrays &On) { relax<<<16384, 256>>>(On.B, On.A, 1 << 22); }
