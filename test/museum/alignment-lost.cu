// Rows are no longer known to be aligned: four loads of 4 B, 16 B apart,
// instead of one of 16 B.
#include "exhibit.h"

__global__ void norms(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 32; ++k) {
#ifndef AFTER
    float4 x = reinterpret_cast<const float4 *>(in)[k * n + i];
#else
    const float *from = in + 4 * (k * n + i);
    float4 x = {from[0], from[1], from[2], from[3]};
#endif
    sum += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
  }
  out[i] = rsqrtf(sum);
}

void launch(const Arrays &On) { norms<<<256, 256>>>(On.B, On.A, 65536); }
