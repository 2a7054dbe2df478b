//===- addtopre.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Weighted sums by an atomic of each thread, word after word; cure: of each
/// warp.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *pre, const float *weight, const float *post,
                     int numPre, int numPost) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= numPost)
    return;
  float p = post[j];
  for (int i = 0; i < numPre; i++)
    atomicAdd(&pre[i], weight[(size_t)i * numPost + j] * p);
}
__global__ void fast(float *pre, const float *weight, const float *post,
                     int numPre, int numPost) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  float p = j < numPost ? post[j] : 0;
  for (int i = 0; i < numPre; i++) {
    float v = j < numPost ? weight[(size_t)i * numPost + j] * p : 0;
    for (int d = 16; d; d /= 2)
      v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
      atomicAdd(&pre[i], v);
  }
}
int main() {
  const int pre = 512, post = 8192;
  float *w = numbers<float>(pre * post), *p = numbers<float>(post);
  float *o = numbers<float>(pre);
  timeLaunches("addtopre,slow", beginClean,
               [&] { slow<<<post / 128, 128>>>(o, w, p, pre, post); });
  timeLaunches("addtopre,fast", beginClean,
               [&] { fast<<<post / 128, 128>>>(o, w, p, pre, post); });
}
