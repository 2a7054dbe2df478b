// A division by a variable for each value that DRAM delivers anyway.
#include "exhibit.h"

__global__ void dequantize(float *out, const int *in, const float *scales,
                           unsigned each) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef AFTER
  unsigned group = i >> 10;
#else
  unsigned group = i / each;
#endif
  out[i] = in[i] * scales[group];
}

void launch(const Arrays &On) {
  dequantize<<<Count / 256, 256>>>(On.B, On.Small, On.C, 1024);
}
