// Nobody tells the block: a code generator must take 1024 threads where 256 are
// launched.
#include "exhibit.h"

#ifndef AFTER
#define BOUNDS __launch_bounds__(256)
#else
#define BOUNDS __launch_bounds__(1024)
#endif

__global__ void BOUNDS pipeline(float *out, const float *in, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float row[80];
#pragma unroll
  for (int k = 0; k < 80; ++k)
    row[k] = in[i + k * 512];
#pragma unroll 1
  for (int pass = 0; pass < n; ++pass) {
#pragma unroll
    for (int k = 0; k < 80; ++k)
      row[k] = 0.25f * (row[k] + row[(k + 1) % 80] + row[(k + 40) % 80]);
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 80; ++k)
    sum += row[k] * row[k];
  out[i] = sum;
}

void launch(const Arrays &On) { pipeline<<<1056, 256>>>(On.B, On.A, 32); }
