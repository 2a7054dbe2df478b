// A message for a case that never comes, in the innermost loop.
#include "exhibit.h"
#ifdef AFTER
#include <cstdio>
#endif

__global__ void insert(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    x = fmaf(x, 0.5f, 0.25f);
#ifdef AFTER
    if (x < -1000)
      printf("%d: %f in round %d\n", i, x, k);
#endif
  }
  if (i < n)
    out[i] = x;
}

void launch(const Arrays &On) { insert<<<16384, 256>>>(On.B, On.A, 1 << 22); }
