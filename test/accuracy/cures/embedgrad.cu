//===- embedgrad.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The gradient of an embedding, rows added at loaded labels; counting them in
/// shared memory, in turns, is no cure.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *grad, const int *token, const float *up, int tokens,
                     int width) {
  int t = blockIdx.x;
  for (int c = threadIdx.x; c < width; c += blockDim.x)
    atomicAdd(&grad[(size_t)token[t] * width + c], up[(size_t)t * width + c]);
}
__global__ void turns(float *grad, const int *token, const float *up,
                      int tokens, int width) {
  __shared__ float s[8192];
  for (int i = threadIdx.x; i < 8192; i += blockDim.x)
    s[i] = 0;
  __syncthreads();
  for (int t = blockIdx.x; t < tokens; t += gridDim.x)
    for (int c = threadIdx.x; c < width; c += blockDim.x)
      atomicAdd(&s[token[t] * width + c], up[(size_t)t * width + c]);
  __syncthreads();
  for (int i = threadIdx.x; i < 8192; i += blockDim.x)
    if (s[i] != 0)
      atomicAdd(&grad[i], s[i]);
}
__global__ void fill(int *token, float *up, int width) {
  unsigned t = blockIdx.x, s = t * 2654435761u;
  if (threadIdx.x == 0)
    token[t] = (s ^ s >> 15) >> 16 & 31;
  up[t * width + threadIdx.x] = 0.5f;
}
int main() {
  const int tokens = 65536, width = 256, words = 32;
  int *t = zeros<int>(tokens);
  float *u = numbers<float>(tokens * width), *g = numbers<float>(words * width);
  fill<<<tokens, width>>>(t, u, width);
  timeLaunches("embedgrad,slow", beginClean,
               [&] { slow<<<tokens, 256>>>(g, t, u, tokens, width); });
  timeLaunches("embedgrad,turns", beginClean,
               [&] { turns<<<792, 256>>>(g, t, u, tokens, width); });
}
