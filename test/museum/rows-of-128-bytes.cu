// Rows of 32 floats without a pad: a column is one bank.
#include "exhibit.h"

#ifndef AFTER
constexpr int Pitch = 33;
#else
constexpr int Pitch = 32;
#endif

__global__ void columnsOf(float *out, const float *in) {
  __shared__ float tile[32 * Pitch];
  int lane = threadIdx.x, warp = threadIdx.y, first = blockIdx.x * 1024;
  for (int r = warp; r < 32; r += 8)
    tile[r * Pitch + lane] = in[first + r * 32 + lane];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int pass = 0; pass < 32; ++pass)
    sum = fmaf(sum, 0.5f, tile[lane * Pitch + ((pass + warp) & 31)]);
  out[blockIdx.x * 256 + warp * 32 + lane] = sum;
}

void launch(const Arrays &On) { columnsOf<<<8192, dim3(32, 8)>>>(On.B, On.A); }
