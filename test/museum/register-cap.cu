// 80 registers where 168 are wanted: the tile of a product goes to the stack.
#include "exhibit.h"

#ifndef AFTER
#define BOUNDS __launch_bounds__(128, 3)
#else
#define BOUNDS __launch_bounds__(128, 6)
#endif

__global__ void BOUNDS product(float *out, const float *a, const float *b,
                               int steps) {
  float tile[12][10] = {};
  int at = blockIdx.x * 128 + threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < steps; ++k) {
    float left[12], right[10];
#pragma unroll
    for (int r = 0; r < 12; ++r)
      left[r] = a[(k * 12 + r) * 128 + threadIdx.x];
#pragma unroll
    for (int c = 0; c < 10; ++c)
      right[c] = b[(k * 10 + c) * 128 + threadIdx.x];
#pragma unroll
    for (int r = 0; r < 12; ++r)
#pragma unroll
      for (int c = 0; c < 10; ++c)
        tile[r][c] = fmaf(left[r], right[c], tile[r][c]);
  }
  float sum = 0;
#pragma unroll
  for (int r = 0; r < 12; ++r)
#pragma unroll
    for (int c = 0; c < 10; ++c)
      sum += tile[r][c] * (r + c);
  out[at] = sum;
}

void launch(const Arrays &On) { product<<<1056, 128>>>(On.C, On.A, On.B, 128); }
