// Two registers more and a rounding choose blocks of one warp: 32 of 64 warps.
#include "exhibit.h"

#ifndef AFTER
constexpr int Threads = 256;
#else
constexpr int Threads = 32;
#endif

__global__ void kinetic(float *out, const float *in, int n) {
  int i = blockIdx.x * Threads + threadIdx.x;
  if (i < n)
    out[i] = 0.5f * in[i] * in[i];
}

void launch(const Arrays &On) {
  kinetic<<<Count / Threads, Threads>>>(On.B, On.A, Count);
}
