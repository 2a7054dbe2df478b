// A refactoring drops the bound: 1024 threads and more than 64 registers.
#include "exhibit.h"

#ifndef AFTER
#define BOUNDS __launch_bounds__(1024)
#else
#define BOUNDS
#endif

__global__ void BOUNDS fit(float *out, const float *in) {
  int i = blockIdx.x * 1024 + threadIdx.x;
  float p[72];
#pragma unroll
  for (int k = 0; k < 72; ++k)
    p[k] = in[i + k * 32];
#pragma unroll 1
  for (int step = 0; step < 16; ++step)
#pragma unroll
    for (int k = 0; k < 72; ++k)
      p[k] = fmaf(p[k], p[(k + 31) % 72], 0.5f);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 72; ++k)
    sum += p[k];
  out[i] = sum;
}

void launch(const Arrays &On) { fit<<<264, 1024>>>(On.B, On.A); }
