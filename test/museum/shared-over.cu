// A configuration of a tuner asks for more shared memory than an SM can give to
// a block.
#include "exhibit.h"

#ifndef AFTER
constexpr int Bytes = 96 * 1024;
#else
constexpr int Bytes = 256 * 1024;
#endif

__global__ void candidate(float *out, const float *in) {
  extern __shared__ float tile[];
  for (int k = threadIdx.x; k < Bytes / 4; k += 256)
    tile[k] = in[blockIdx.x * 4096 + k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 64; ++k)
    sum += tile[(threadIdx.x * 33 + k * 257) % (Bytes / 4)];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

void launch(const Arrays &On) {
  cudaFuncSetAttribute(candidate, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       Bytes);
  candidate<<<2048, 256, Bytes>>>(On.B, On.A);
}
