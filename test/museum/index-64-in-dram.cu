// 64-bit places in a kernel that DRAM bounds: more instructions, the same time.
#include "exhibit.h"

#ifndef AFTER
using Index = unsigned;
#else
using Index = long long;
#endif

__global__ void saxpy(float *out, const float *x, const float *y, Index n,
                      Index stride) {
  Index i =
      (static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x) * stride;
  if (i < n)
    out[i] = 2 * x[i] + y[i];
}

void launch(const Arrays &On) {
  saxpy<<<Count / 256, 256>>>(On.C, On.A, On.B, Count, 1);
}
