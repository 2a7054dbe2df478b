// A scheduler moves all loads before the first use: more values live than
// registers.
#include "exhibit.h"

#ifndef AFTER
constexpr int Ahead = 8;
#else
constexpr int Ahead = 96;
#endif

__global__ void __launch_bounds__(256, 4)
    attend(float *out, const float *in, int rounds) {
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < rounds; k += Ahead) {
    float kept[Ahead], high = 0;
#pragma unroll
    for (int a = 0; a < Ahead; ++a) {
      kept[a] = in[(k + a) * 256 + threadIdx.x];
      high = fmaxf(high, kept[a]);
    }
    float scale = 1 / (1 + high);
#pragma unroll
    for (int a = 0; a < Ahead; ++a)
      sum = fmaf(kept[a], scale, sum);
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

void launch(const Arrays &On) { attend<<<1056, 256>>>(On.B, On.A, 96 * 16); }
