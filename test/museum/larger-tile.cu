// 8 x 8 sums of a thread become 14 x 14, some on the stack: fewer loads for
// each product.
#include "exhibit.h"

#ifndef AFTER
constexpr int Side = 8;
#else
constexpr int Side = 14;
#endif

__global__ void __launch_bounds__(128, 2)
    tiles(float *out, const float *a, const float *b, int n) {
#pragma unroll 1
  for (int row = 0; row < 56; row += Side)
#pragma unroll 1
    for (int column = 0; column < 56; column += Side) {
      float sum[Side][Side] = {};
#pragma unroll 1
      for (int k = 0; k < n; ++k)
#pragma unroll
        for (int r = 0; r < Side; ++r)
#pragma unroll
          for (int c = 0; c < Side; ++c)
            sum[r][c] =
                fmaf(a[((row + r) * n + k) * 32 + threadIdx.x],
                     b[((column + c) * n + k) * 32 + threadIdx.x], sum[r][c]);
      float all = 0;
#pragma unroll
      for (int r = 0; r < Side; ++r)
#pragma unroll
        for (int c = 0; c < Side; ++c)
          all = fmaf(all, 0.5f, sum[r][c]);
      out[(blockIdx.x + row * 64 + column) * 128 + threadIdx.x] = all;
    }
}

void launch(const Arrays &On) { tiles<<<264, 128>>>(On.C, On.A, On.B, 8); }
