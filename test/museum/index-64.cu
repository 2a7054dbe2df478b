// Places are counted in 64 bits, divisions among them.
#include "exhibit.h"

#ifndef AFTER
using Index = unsigned;
#else
using Index = unsigned long long;
#endif

__global__ void convolve(float *out, const float *in, Index width,
                         Index height) {
  Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 5; ++k) {
    Index at = i + k * 3;
    Index x = at % width, y = at / width % height;
    sum += in[y * width + x];
  }
  out[i] = sum;
}

void launch(const Arrays &On) {
  convolve<<<16384, 256>>>(On.B, On.A, 2047, 2048);
}
