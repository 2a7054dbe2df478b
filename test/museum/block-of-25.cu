// One block of 25 threads for each 5 x 5 patch instead of ten patches a block.
#include "exhibit.h"

#ifndef AFTER
constexpr int Threads = 250;
#else
constexpr int Threads = 25;
#endif

__global__ void patches(float *out, const float *in, int n) {
  int i = blockIdx.x * Threads + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  for (int k = 0; k < 32; ++k)
    x = fmaf(x, x, 0.125f);
  out[i] = x;
}

void launch(const Arrays &On) {
  patches<<<Count / Threads, Threads>>>(On.B, On.A, Count);
}
