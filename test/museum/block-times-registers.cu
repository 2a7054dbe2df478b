// Blocks of 768 for a kernel that keeps 100 values.
#include "exhibit.h"

#ifndef AFTER
constexpr int Threads = 256;
#else
constexpr int Threads = 768;
#endif

__global__ void bags(float *out, const float *in) {
  int i = blockIdx.x * Threads + threadIdx.x;
  float kept[100];
#pragma unroll
  for (int k = 0; k < 100; ++k)
    kept[k] = in[i + k * 64];
#pragma unroll 1
  for (int step = 0; step < 8; ++step)
#pragma unroll
    for (int k = 0; k < 100; ++k)
      kept[k] = fmaf(kept[k], kept[(k + 41) % 100], 0.5f);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 100; ++k)
    sum += kept[k];
  out[i] = sum;
}

void launch(const Arrays &On) {
  bags<<<202752 / Threads, Threads>>>(On.B, On.A);
}
