// A barrier in each step of a loop whose warps share nothing.
#include "exhibit.h"

__global__ void scanRows(float *out, const float *in) {
  __shared__ float rows[1024];
  int t = threadIdx.x;
  float sum = in[blockIdx.x * 1024 + t];
#pragma unroll 1
  for (int k = 0; k < 64; ++k) {
    rows[t] = sum;
#ifdef AFTER
    __syncthreads();
#else
    __syncwarp();
#endif
    sum = fmaf(rows[t ^ 1], 0.5f, sum);
#ifdef AFTER
    __syncthreads();
#else
    __syncwarp();
#endif
  }
  out[blockIdx.x * 1024 + t] = sum;
}

void launch(const Arrays &On) { scanRows<<<2112, 1024>>>(On.B, On.A); }
