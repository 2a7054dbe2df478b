//===- longdots.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A block has a long dot product, of which there are few; cure: many blocks
/// have it.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *a, const float *b, float *dots, int length) {
  __shared__ float s[256];
  const float *x = a + (size_t)blockIdx.x * length;
  const float *y = b + (size_t)blockIdx.x * length;
  float v = 0;
  for (int k = threadIdx.x; k < length; k += blockDim.x)
    v += x[k] * y[k];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int step = 128; step; step /= 2) {
    if (threadIdx.x < step)
      s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    dots[blockIdx.x] = s[0];
}
__global__ void fast(const float *a, const float *b, float *dots, int length) {
  __shared__ float s[256];
  const float *x = a + (size_t)blockIdx.x * length;
  const float *y = b + (size_t)blockIdx.x * length;
  float v = 0;
  for (int k = blockIdx.y * blockDim.x + threadIdx.x; k < length;
       k += gridDim.y * blockDim.x)
    v += x[k] * y[k];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int step = 128; step; step /= 2) {
    if (threadIdx.x < step)
      s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(&dots[blockIdx.x], s[0]);
}
int main() {
  const int vectors = 24, length = 1 << 19;
  float *a = numbers<float>(vectors * length),
        *b = numbers<float>(vectors * length), *dots = numbers<float>(vectors);
  timeLaunches("longdots,slow", beginClean,
               [&] { slow<<<vectors, 256>>>(a, b, dots, length); });
  timeLaunches("longdots,fast", beginClean,
               [&] { fast<<<dim3(vectors, 44), 256>>>(a, b, dots, length); });
}
