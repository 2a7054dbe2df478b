// A framework asks for eight blocks of every kernel; this one needs its
// registers.
#include "exhibit.h"

#ifndef AFTER
#define BOUNDS __launch_bounds__(128)
#else
#define BOUNDS __launch_bounds__(128, 12)
#endif

__global__ void BOUNDS forces(float *out, const float *in, int n) {
  float f[72];
  for (int k = 0; k < 72; ++k)
    f[k] = in[(blockIdx.x * 72 + k) % n + threadIdx.x];
#pragma unroll 1
  for (int step = 0; step < 64; ++step)
#pragma unroll
    for (int k = 0; k < 72; ++k)
      f[k] = fmaf(f[k], f[(k + 29) % 72], 0.5f);
  float sum = 0;
  for (int k = 0; k < 72; ++k)
    sum += f[k];
  out[blockIdx.x * 128 + threadIdx.x] = sum;
}

void launch(const Arrays &On) { forces<<<2112, 128>>>(On.B, On.A, Count / 2); }
