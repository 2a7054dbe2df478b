// Each row asks whether it is aligned and has a path for when it is not: twice
// the code.
#include "exhibit.h"

__global__ void doubled(float *out, const float *in) {
  int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
#ifdef AFTER
  if ((reinterpret_cast<unsigned long long>(in) |
       reinterpret_cast<unsigned long long>(out)) &
      15) {
    for (int k = 0; k < 4; ++k)
      out[i + k] = 2 * in[i + k];
    return;
  }
#endif
  float4 x = *reinterpret_cast<const float4 *>(in + i);
  *reinterpret_cast<float4 *>(out + i) = {2 * x.x, 2 * x.y, 2 * x.z, 2 * x.w};
}

void launch(const Arrays &On) { doubled<<<Count / 1024, 256>>>(On.B, On.A); }
