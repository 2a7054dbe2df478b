// A clean-up keeps some more sums for each row: one block fewer on an SM.
#include "exhibit.h"

#ifndef AFTER
constexpr int Sums = 56;
#else
constexpr int Sums = 70;
#endif

__global__ void __launch_bounds__(256)
    aggregate(float *out, const float *in, int n) {
  float sums[Sums];
  for (int s = 0; s < Sums; ++s)
    sums[s] = s;
#pragma unroll 1
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    float value = in[i];
    for (int s = 0; s < Sums; ++s)
      sums[s] = fmaf(sums[s], value, 1.0f / (s + 1));
  }
  float all = 0;
  for (int s = 0; s < Sums; ++s)
    all += sums[s] * sums[s];
  out[blockIdx.x * 256 + threadIdx.x] = all;
}

void launch(const Arrays &On) { aggregate<<<528, 256>>>(On.B, On.A, Count); }
