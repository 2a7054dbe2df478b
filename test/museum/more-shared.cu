// Each block reserves twice the shared memory; what DRAM gives was the limit
// and still is.
#include "exhibit.h"

#ifndef AFTER
constexpr int Words = 5120;
#else
constexpr int Words = 10240;
#endif

__global__ void rotate(float4 *out, const float4 *in) {
  __shared__ float tile[Words];
  int i = blockIdx.x * 2048 + threadIdx.x;
  float4 x[8];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    x[k] = in[i + k * 256];
  tile[threadIdx.x * (Words / 256)] = x[0].x;
  __syncthreads();
  x[0].x = tile[(threadIdx.x ^ 1) * (Words / 256)];
#pragma unroll
  for (int k = 0; k < 8; ++k)
    out[i + k * 256] = x[k];
}

void launch(const Arrays &On) {
  rotate<<<Count / 8192, 256>>>(reinterpret_cast<float4 *>(On.B),
                                reinterpret_cast<const float4 *>(On.A));
}
