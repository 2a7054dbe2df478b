// Records of a tile begin at an offset that nobody states: four conflicts, not
// one wide load.
#include "exhibit.h"

__global__ void distances(float *out, const float *in, int rounds, int offset) {
  __shared__ alignas(16) float tile[4096 + 32];
  for (int k = threadIdx.x; k < 4096 + 32; k += 256)
    tile[k] = in[blockIdx.x * 4096 + k];
  __syncthreads();
  float sum = 0;
  for (int r = 0; r < rounds; ++r) {
    int at = 4 * ((threadIdx.x + r * 32) & 1023);
#ifndef AFTER
    float4 x = *reinterpret_cast<const float4 *>(tile + at);
#else
    const float *from = tile + at + offset;
    float4 x = {from[0], from[1], from[2], from[3]};
#endif
    sum += fmaf(x.x, x.y, x.z * x.w);
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

void launch(const Arrays &On) { distances<<<2048, 256>>>(On.B, On.A, 128, 0); }
