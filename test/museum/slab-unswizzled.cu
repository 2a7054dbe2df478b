// Three of four slabs are stored without the swizzle that their readers undo in
// the first.
#include "exhibit.h"

__device__ int place(int slab, int row, int column) {
#ifndef AFTER
  int mixed = column ^ row;
#else
  int mixed = slab == 0 ? column ^ row : column;
#endif
  return slab * 1024 + row * 32 + mixed;
}

__global__ void stages(float *out, const float *in, int rounds) {
  __shared__ float slabs[4 * 1024];
  int lane = threadIdx.x, warp = threadIdx.y;
  for (int s = 0; s < 4; ++s)
    for (int r = warp; r < 32; r += 8)
      slabs[place(s, r, lane)] =
          in[blockIdx.x * 4096 + s * 1024 + r * 32 + lane];
  __syncthreads();
  float sum = 0;
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int s = 0; s < 4; ++s)
      sum = fmaf(sum, 0.5f, slabs[place(s, lane, (warp + r) & 31)]);
  out[blockIdx.x * 256 + warp * 32 + lane] = sum;
}

void launch(const Arrays &On) { stages<<<2048, dim3(32, 8)>>>(On.B, On.A, 32); }
