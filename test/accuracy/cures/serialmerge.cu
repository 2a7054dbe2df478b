//===- serialmerge.cu - what one thread combines for its block -*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *part, float *out, int splits, int stride) {
  __shared__ float top, inv;
  const float *p = part + (size_t)blockIdx.x * splits * stride;
  if (threadIdx.x == 0) {
    float m = -1e30f, l = 0;
    for (int s = 0; s < splits; s++)
      m = fmaxf(m, p[s * stride]);
    for (int s = 0; s < splits; s++)
      l += p[s * stride + 1] * expf(p[s * stride] - m);
    top = m;
    inv = 1.0f / l;
  }
  __syncthreads();
  float acc = 0;
  for (int s = 0; s < splits; s++)
    acc += expf(p[s * stride] - top) * p[s * stride + 2 + threadIdx.x];
  out[blockIdx.x * 128 + threadIdx.x] = acc * inv;
}
__global__ void unrolled(const float *part, float *out, int splits,
                         int stride) {
  __shared__ float top, inv;
  const float *p = part + (size_t)blockIdx.x * splits * stride;
  if (threadIdx.x == 0) {
    float m = -1e30f, l = 0;
    for (int s = 0; s < splits; s++)
      m = fmaxf(m, p[s * stride]);
    for (int s = 0; s < splits; s++)
      l += p[s * stride + 1] * expf(p[s * stride] - m);
    top = m;
    inv = 1.0f / l;
  }
  __syncthreads();
  float acc = 0;
#pragma unroll 8
  for (int s = 0; s < splits; s++)
    acc += expf(p[s * stride] - top) * p[s * stride + 2 + threadIdx.x];
  out[blockIdx.x * 128 + threadIdx.x] = acc * inv;
}
__global__ void staged(const float *part, float *out, int splits, int stride) {
  __shared__ float inv, w[256], mm[256], ll[256];
  const float *p = part + (size_t)blockIdx.x * splits * stride;
  for (int s = threadIdx.x; s < splits; s += blockDim.x) {
    mm[s] = p[s * stride];
    ll[s] = p[s * stride + 1];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    float m = -1e30f, l = 0;
    for (int s = 0; s < splits; s++)
      m = fmaxf(m, mm[s]);
    for (int s = 0; s < splits; s++) {
      w[s] = expf(mm[s] - m);
      l += ll[s] * w[s];
    }
    inv = 1.0f / l;
  }
  __syncthreads();
  float acc = 0;
  for (int s = 0; s < splits; s++)
    acc += w[s] * p[s * stride + 2 + threadIdx.x];
  out[blockIdx.x * 128 + threadIdx.x] = acc * inv;
}
__global__ void shared(const float *part, float *out, int splits, int stride) {
  __shared__ float top[4], sum[4];
  const float *p = part + (size_t)blockIdx.x * splits * stride;
  float m = -1e30f, l = 0;
  for (int s = threadIdx.x; s < splits; s += 128)
    m = fmaxf(m, p[s * stride]);
  for (int o = 16; o; o >>= 1)
    m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
  if (threadIdx.x % 32 == 0)
    top[threadIdx.x / 32] = m;
  __syncthreads();
  m = fmaxf(fmaxf(top[0], top[1]), fmaxf(top[2], top[3]));
  for (int s = threadIdx.x; s < splits; s += 128)
    l += p[s * stride + 1] * expf(p[s * stride] - m);
  for (int o = 16; o; o >>= 1)
    l += __shfl_xor_sync(~0u, l, o);
  if (threadIdx.x % 32 == 0)
    sum[threadIdx.x / 32] = l;
  __syncthreads();
  float acc = 0;
  for (int s = 0; s < splits; s++)
    acc += expf(p[s * stride] - m) * p[s * stride + 2 + threadIdx.x];
  out[blockIdx.x * 128 + threadIdx.x] =
      acc / (sum[0] + sum[1] + sum[2] + sum[3]);
}
int main() {
  const int heads = 32, splits = 85, stride = 130;
  float *p = numbers<float>((size_t)heads * splits * stride),
        *o = numbers<float>(heads * 128);
  timeLaunches("serialmerge,slow", beginClean,
               [&] { slow<<<heads, 128>>>(p, o, splits, stride); });
  timeLaunches("serialmerge,unrolled", beginClean,
               [&] { unrolled<<<heads, 128>>>(p, o, splits, stride); });
  timeLaunches("serialmerge,staged", beginClean,
               [&] { staged<<<heads, 128>>>(p, o, splits, stride); });
  timeLaunches("serialmerge,shared", beginClean,
               [&] { shared<<<heads, 128>>>(p, o, splits, stride); });
}
