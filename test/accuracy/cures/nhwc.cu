//===- nhwc.cu - A kernel with one finding --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Channels are brought together, writes stride by their number; cure: by tiles
/// in shared memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *in, float *out, int c, int hw) {
  int p = blockIdx.x * blockDim.x + threadIdx.x, channel = blockIdx.y;
  if (p < hw)
    out[(size_t)p * c + channel] = in[(size_t)channel * hw + p];
}
__global__ void fast(const float *in, float *out, int c, int hw) {
  __shared__ float tile[32][33];
  int p0 = blockIdx.x * 32, c0 = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 32; r += 8)
    tile[r][threadIdx.x] = in[(size_t)(c0 + r) * hw + p0 + threadIdx.x];
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8)
    out[(size_t)(p0 + r) * c + c0 + threadIdx.x] = tile[threadIdx.x][r];
}
int main() {
  const int c = 96, hw = 384 * 384;
  float *in = numbers<float>(c * hw), *out = numbers<float>(c * hw);
  timeLaunches("nhwc,slow", beginClean,
               [&] { slow<<<dim3(hw / 256, c), 256>>>(in, out, c, hw); });
  timeLaunches("nhwc,fast", beginClean, [&] {
    fast<<<dim3(hw / 32, c / 32), dim3(32, 8)>>>(in, out, c, hw);
  });
}
