// A bound makes five values wait on the stack while a long loop runs without
// them.
#include "exhibit.h"

#ifndef AFTER
#define BOUNDS __launch_bounds__(256)
#else
#define BOUNDS __launch_bounds__(256, 4)
#endif

__global__ void BOUNDS vectorDot(float *out, const float *in, int steps) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float kept[28], u[40];
#pragma unroll
  for (int k = 0; k < 28; ++k)
    kept[k] = in[i + k * 4096] * in[i + k];
#pragma unroll
  for (int k = 0; k < 40; ++k)
    u[k] = in[i + k * 32];
#pragma unroll 1
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int k = 0; k < 40; ++k)
      u[k] = fmaf(u[k], u[k], 0.25f);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 40; ++k)
    sum += u[k] * kept[k % 28];
  out[i] = sum;
}

void launch(const Arrays &On) { vectorDot<<<3168, 256>>>(On.B, On.A, 512); }
