//===- decode.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Scores of one query against all keys, a thread a key; cure: eight lanes a
/// key.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *q, const float *keys, float *score, int n,
                     int d) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= n)
    return;
  float dot = 0;
  for (int i = 0; i < d; i++)
    dot += q[i] * keys[k * d + i];
  score[k] = expf(dot * rsqrtf((float)d));
}
__global__ void fast(const float4 *q, const float4 *keys, float *score, int n,
                     int d) {
  int k = (blockIdx.x * blockDim.x + threadIdx.x) / 8, lane = threadIdx.x % 8;
  float dot = 0;
  for (int i = lane; i < d / 4; i += 8) {
    float4 a = q[i], b = keys[k * (d / 4) + i];
    dot += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  for (int s = 4; s > 0; s /= 2)
    dot += __shfl_down_sync(~0u, dot, s, 8);
  if (lane == 0)
    score[k] = expf(dot * rsqrtf((float)d));
}
int main() {
  const int n = 1 << 18, d = 128;
  float *q = numbers<float>(d), *keys = numbers<float>(n * d),
        *s = numbers<float>(n);
  timeLaunches("decode,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(q, keys, s, n, d); });
  timeLaunches("decode,fast", beginClean, [&] {
    fast<<<n / 32, 256>>>((float4 *)q, (float4 *)keys, s, n, d);
  });
}
