// Blocks of 1024 leave most SMs without one.
#include "exhibit.h"

#ifndef AFTER
constexpr int Threads = 128;
#else
constexpr int Threads = 1024;
#endif

__global__ void worlds(float *out, const float *in) {
  int i = blockIdx.x * Threads + threadIdx.x;
  float x = in[i];
#pragma unroll 1
  for (int k = 0; k < 2000; ++k)
    x = fmaf(x, 0.999f, 0.001f) + fmaf(x, x, -1.0f) * 0.01f;
  out[i] = x;
}

void launch(const Arrays &On) {
  worlds<<<32768 / Threads, Threads>>>(On.B, On.A);
}
