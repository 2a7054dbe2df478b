// Four chains a thread in a quarter of the threads: fewer warps, as many
// instructions in flight.
#include "exhibit.h"

#ifndef AFTER
constexpr int Chains = 1;
#else
constexpr int Chains = 4;
#endif

__global__ void mandelbrot(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x, threads = gridDim.x * 256;
  float x[Chains];
#pragma unroll
  for (int c = 0; c < Chains; ++c)
    x[c] = in[i + c * threads];
#pragma unroll 1
  for (int k = 0; k < 1024; k += 8)
#pragma unroll
    for (int step = 0; step < 8; ++step)
#pragma unroll
      for (int c = 0; c < Chains; ++c)
        x[c] = fmaf(x[c], x[c], 0.2f);
#pragma unroll
  for (int c = 0; c < Chains; ++c)
    out[i + c * threads] = x[c];
}

void launch(const Arrays &On) {
  mandelbrot<<<4224 / Chains, 256>>>(On.B, On.A);
}
