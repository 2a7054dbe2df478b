// __restrict__ goes: what the kernel stores may be what it reads, so each use
// loads again.
#include "exhibit.h"

#ifndef AFTER
#define ALONE __restrict__
#else
#define ALONE
#endif

__global__ void mix(float *ALONE out, const float *ALONE in,
                    const float *ALONE weights, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < 32; ++r) {
    float sum = 0;
    for (int k = 0; k < 8; ++k)
      sum = fmaf(in[k * n + i], weights[k], sum);
    out[r * n + i] = sum * r;
  }
}

void launch(const Arrays &On) { mix<<<1024, 256>>>(On.B, On.A, On.C, 262144); }
