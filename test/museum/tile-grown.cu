// A thread of a pooling takes 96 channels instead of 24, at the same bound.
#include "exhibit.h"

#ifndef AFTER
constexpr int Channels = 24;
#else
constexpr int Channels = 96;
#endif

__global__ void __launch_bounds__(512, 2)
    pool(float *out, const float *in, int window) {
  float sum = 0;
#pragma unroll 1
  for (int first = 0; first < 96; first += Channels) {
    float best[Channels];
#pragma unroll
    for (int c = 0; c < Channels; ++c)
      best[c] = 0;
#pragma unroll 1
    for (int w = 0; w < window; ++w) {
      float scale = in[w + threadIdx.x];
#pragma unroll
      for (int c = 0; c < Channels; ++c)
        best[c] = fmaxf(best[c] * 0.5f,
                        scale * (c + first) - best[(c + 5) % Channels]);
    }
#pragma unroll
    for (int c = 0; c < Channels; ++c)
      sum += best[c];
  }
  out[blockIdx.x * 512 + threadIdx.x] = sum;
}

void launch(const Arrays &On) { pool<<<528, 512>>>(On.B, On.A, 64); }
