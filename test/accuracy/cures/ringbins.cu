//===- ringbins.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread for a bin of all images; cure: a block for a bin and image.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *images, const int *pixel, const int *begin,
                     float *sums, int bins, int batch, int pixels) {
  int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= bins)
    return;
  for (int m = 0; m < batch; m++) {
    float sum = 0;
    for (int k = begin[b]; k < begin[b + 1]; k++)
      sum += images[m * pixels + pixel[k]];
    sums[m * bins + b] = sum;
  }
}
__global__ void fast(const float *images, const int *pixel, const int *begin,
                     float *sums, int bins, int batch, int pixels) {
  __shared__ float part[8];
  int b = blockIdx.x, m = blockIdx.y;
  float sum = 0;
  for (int k = begin[b] + threadIdx.x; k < begin[b + 1]; k += blockDim.x)
    sum += images[m * pixels + pixel[k]];
  for (int o = 16; o; o /= 2)
    sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    sums[m * bins + b] = part[0] + part[1] + part[2] + part[3] + part[4] +
                         part[5] + part[6] + part[7];
}
__global__ void fill(int *pixel, int *begin, int bins, int each) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  pixel[i] = i;
  if (i <= bins)
    begin[i] = i * each;
}
int main() {
  const int bins = 256, each = 1024, batch = 16, pixels = bins * each;
  float *a = numbers<float>(pixels * batch), *s = numbers<float>(bins * batch);
  int *p = zeros<int>(pixels), *b = zeros<int>(bins + 1);
  fill<<<pixels / 256, 256>>>(p, b, bins, each);
  timeLaunches("ringbins,slow", beginClean, [&] {
    slow<<<bins / 256, 256>>>(a, p, b, s, bins, batch, pixels);
  });
  timeLaunches("ringbins,fast", beginClean, [&] {
    fast<<<dim3(bins, batch), 256>>>(a, p, b, s, bins, batch, pixels);
  });
}
