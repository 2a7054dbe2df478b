// Double literals where DRAM is the limit: this GPU has the units for it.
#include "exhibit.h"

#ifndef AFTER
#define HALF 0.5f
#define THIRD 0.3f
#else
#define HALF 0.5
#define THIRD 0.3
#endif

__global__ void membership(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * THIRD + HALF;
}

void launch(const Arrays &On) {
  membership<<<Count / 256, 256>>>(On.B, On.A, Count);
}
