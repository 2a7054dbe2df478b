// A bound asks for a fifth block: eight values go to the stack in the innermost
// loop.
#include "exhibit.h"

#ifndef AFTER
#define BOUNDS
#else
#define BOUNDS __launch_bounds__(256, 5)
#endif

__global__ void BOUNDS stepper(float *out, const float *in, int steps) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float u[44];
#pragma unroll
  for (int k = 0; k < 44; ++k)
    u[k] = in[i + k * 32];
#pragma unroll 4
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int k = 0; k < 44; ++k)
      u[k] = fmaf(u[k], 0.5f, u[k] * u[(k + 1) % 44]);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 44; ++k)
    sum += u[k];
  out[i] = sum;
}

void launch(const Arrays &On) { stepper<<<6336, 256>>>(On.B, On.A, 256); }
