// A small product is kept whole in the registers of each thread.
#include "exhibit.h"

#ifndef AFTER
constexpr int Side = 8;
#else
constexpr int Side = 16;
#endif

__global__ void __launch_bounds__(128)
    smallDot(float *out, const float *a, const float *b) {
  int at = blockIdx.x * 128 + threadIdx.x;
#pragma unroll 1
  for (int row = 0; row < 32; row += Side)
#pragma unroll 1
    for (int column = 0; column < 32; column += Side) {
      float sum[Side][Side] = {};
#pragma unroll 1
      for (int k = 0; k < 64; ++k)
#pragma unroll
        for (int r = 0; r < Side; ++r)
#pragma unroll
          for (int c = 0; c < Side; ++c)
            sum[r][c] = fmaf(a[(row + r) * 64 + k + threadIdx.x],
                             b[(column + c) * 64 + k], sum[r][c]);
      float all = 0;
#pragma unroll
      for (int r = 0; r < Side; ++r)
#pragma unroll
        for (int c = 0; c < Side; ++c)
          all += sum[r][c] * (r + 2 * c);
      out[at + (row + column) * 16384] = all;
    }
}

void launch(const Arrays &On) { smallDot<<<1056, 128>>>(On.C, On.A, On.B); }
