// Two registers over the step: five blocks instead of six, and the units are as
// busy.
#include "exhibit.h"

#ifndef AFTER
constexpr int Kept = 0;
#else
constexpr int Kept = 3;
#endif

__global__ void __launch_bounds__(128)
    fluxes(float *out, const float *in, int steps) {
  int i = blockIdx.x * 128 + threadIdx.x;
  float kept[Kept + 1], u[72];
#pragma unroll
  for (int k = 0; k <= Kept; ++k)
    kept[k] = in[i + k * 4096];
#pragma unroll
  for (int k = 0; k < 72; ++k)
    u[k] = in[i + k * 32];
#pragma unroll 1
  for (int step = 0; step < steps; ++step)
#pragma unroll
    for (int k = 0; k < 72; ++k)
      u[k] = fmaf(u[k], u[k], 0.25f);
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 72; ++k)
    sum += u[k] * kept[k % (Kept + 1)];
  out[i] = sum;
}

void launch(const Arrays &On) { fluxes<<<3960, 128>>>(On.B, On.A, 256); }
