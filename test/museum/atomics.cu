// Every thread adds its value to one of 64 sums in memory; before, a block
// added once.
#include "exhibit.h"

__global__ void total(float *sums, const float *in) {
  float mine = in[blockIdx.x * 256 + threadIdx.x];
#ifndef AFTER
  __shared__ float parts[8];
  for (int offset = 16; offset; offset /= 2)
    mine += __shfl_down_sync(~0u, mine, offset);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x)
    return;
  for (int k = 1; k < 8; ++k)
    mine += parts[k];
#endif
  atomicAdd(sums + blockIdx.x % 64, mine);
}

void launch(const Arrays &On) { total<<<16384, 256>>>(On.B, On.A); }
