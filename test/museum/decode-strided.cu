// Each thread decodes a run of 16 of its own instead of every 256th value.
#include "exhibit.h"

__global__ void decode(float *out, const int *codes, float scale) {
  int first = blockIdx.x * 4096;
#pragma unroll
  for (int k = 0; k < 16; ++k) {
#ifndef AFTER
    int at = first + k * 256 + threadIdx.x;
#else
    int at = first + threadIdx.x * 16 + k;
#endif
    int code = codes[at];
    out[at] = (code - 32) * scale;
  }
}

void launch(const Arrays &On) {
  decode<<<Count / 4096, 256>>>(On.B, On.Small, 0.1f);
}
