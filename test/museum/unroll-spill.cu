// A heuristic unrolls the columns of a normalization four times as far.
#include "exhibit.h"

#ifndef AFTER
constexpr int Columns = 32;
#else
constexpr int Columns = 128;
#endif

__global__ void __launch_bounds__(512, 2)
    normalize(float *out, const float *in, int rows) {
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    for (int part = 0; part < 128; part += Columns) {
      float x[Columns], sum = 0;
      int at = (row * 128 + part) * 512 + threadIdx.x;
#pragma unroll
      for (int c = 0; c < Columns; ++c)
        x[c] = in[at + c * 512];
#pragma unroll
      for (int c = 0; c < Columns; ++c)
        sum += x[c] * x[c];
      sum = rsqrtf(sum);
      float other = 1 - sum;
#pragma unroll
      for (int c = 0; c < Columns; ++c)
        out[at + c * 512] = x[c] * sum + other;
    }
  }
}

void launch(const Arrays &On) { normalize<<<264, 512>>>(On.B, On.A, 256); }
