//===- bnstats.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Mean of each of 32 channels by a block; cure: many blocks for each.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, float *mean, int batch, int channels,
                     int pixels) {
  __shared__ float s[256];
  float sum = 0;
  for (int b = 0; b < batch; b++)
    for (int p = threadIdx.x; p < pixels; p += blockDim.x)
      sum += x[(b * channels + blockIdx.x) * pixels + p];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (threadIdx.x < k)
      s[threadIdx.x] += s[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    mean[blockIdx.x] = s[0] / (batch * pixels);
}
__global__ void fast(const float *x, float *mean, int batch, int channels,
                     int pixels) {
  float sum = 0;
  for (int p = threadIdx.x; p < pixels; p += blockDim.x)
    sum += x[(blockIdx.y * channels + blockIdx.x) * pixels + p];
  for (int k = 16; k > 0; k /= 2)
    sum += __shfl_down_sync(~0u, sum, k);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&mean[blockIdx.x], sum / (batch * pixels));
}
int main() {
  const int batch = 64, channels = 32, pixels = 56 * 56;
  float *x = numbers<float>(batch * channels * pixels),
        *m = numbers<float>(channels);
  timeLaunches("bnstats,slow", beginClean,
               [&] { slow<<<channels, 256>>>(x, m, batch, channels, pixels); });
  timeLaunches("bnstats,fast", beginClean, [&] {
    fast<<<dim3(channels, batch), 256>>>(x, m, batch, channels, pixels);
  });
}
