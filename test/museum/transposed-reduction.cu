// A mean over the other axis: neighbouring threads are a row apart.
#include "exhibit.h"

__global__ void meanOf(float *out, const float *in, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < rows; ++k)
#ifndef AFTER
    sum += in[k * columns + i];
#else
    sum += in[i * rows + k];
#endif
  out[i] = sum / rows;
}

void launch(const Arrays &On) { meanOf<<<512, 128>>>(On.B, On.A, 256, 65536); }
