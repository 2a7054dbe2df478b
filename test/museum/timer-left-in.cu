// Each thread adds the cycles it took to a counter of the cell.
#include "exhibit.h"

__global__ void gatherCost(float *out, const float *in,
                           unsigned long long *cost, int n) {
#ifdef AFTER
  long long begin = clock64();
#endif
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = i < n ? in[i] : 0;
  for (int k = 0; k < 8; ++k)
    x = fmaf(x, x, 0.25f);
  if (i < n)
    out[i] = x;
#ifdef AFTER
  atomicAdd(cost + blockIdx.x % 64,
            static_cast<unsigned long long>(clock64() - begin));
#endif
}

void launch(const Arrays &On) {
  gatherCost<<<Count / 256, 256>>>(
      On.B, On.A, reinterpret_cast<unsigned long long *>(On.C), Count);
}
