// A swizzle made for rows of 32 words is kept for rows of 8: it brings
// conflicts back.
#include "exhibit.h"

#ifndef AFTER
constexpr int Words = 32;
#else
constexpr int Words = 8;
#endif

__device__ int place(int row, int word) {
  return row * Words + (word ^ (row * 2 & (Words - 1)));
}

__global__ void fragments(float *out, const float *in, int rounds) {
  __shared__ float tile[16 * 32];
  int lane = threadIdx.x, at = threadIdx.y * 32 + lane;
  for (int k = at; k < 16 * Words; k += 256)
    tile[place(k / Words, k % Words)] = in[blockIdx.x * 512 + k];
  __syncthreads();
  float sum = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r)
    sum = fmaf(sum, 0.5f,
               tile[place(lane & 15, ((lane >> 4) + 2 * r) & (Words - 1))]);
  out[blockIdx.x * 256 + at] = sum;
}

void launch(const Arrays &On) {
  fragments<<<8192, dim3(32, 8)>>>(On.B, On.A, 128);
}
