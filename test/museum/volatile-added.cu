// A tile becomes volatile to be safe: nothing of it is kept in registers.
#include "exhibit.h"

#ifndef AFTER
#define OFTEN
#else
#define OFTEN volatile
#endif

__global__ void sweep(float *out, const float *in) {
  __shared__ OFTEN float tile[288];
  int t = threadIdx.x;
  tile[t] = in[blockIdx.x * 256 + t];
  if (t < 32)
    tile[256 + t] = 0;
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 64; ++k)
    sum = fmaf(sum, tile[t], tile[t + (k & 7)]);
  out[blockIdx.x * 256 + t] = sum;
}

void launch(const Arrays &On) { sweep<<<16384, 256>>>(On.B, On.A); }
