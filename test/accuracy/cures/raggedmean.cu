//===- raggedmean.cu - A kernel with one finding --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A block of 256 threads has a sequence of some twenty numbers; cure: a warp
/// has it.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *x, const int *starts, float *mean) {
  __shared__ float s[256];
  int from = starts[blockIdx.x], to = starts[blockIdx.x + 1];
  float v = 0;
  for (int k = from + threadIdx.x; k < to; k += blockDim.x)
    v += x[k];
  s[threadIdx.x] = v;
  __syncthreads();
  for (int step = 128; step; step /= 2) {
    if (threadIdx.x < step)
      s[threadIdx.x] += s[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    mean[blockIdx.x] = s[0] / (to - from);
}
__global__ void fast(const float *x, const int *starts, float *mean) {
  int q = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int from = starts[q], to = starts[q + 1];
  float v = 0;
  for (int k = from + lane; k < to; k += 32)
    v += x[k];
  for (int step = 16; step; step /= 2)
    v += __shfl_xor_sync(~0u, v, step);
  if (lane == 0)
    mean[q] = v / (to - from);
}
int main() {
  const int sequences = 1 << 17;
  std::vector<int> s(sequences + 1);
  for (int r = 0; r < sequences; r++)
    s[r + 1] = s[r] + 12 + (unsigned(r) * 2654435761u >> 28);
  int *starts = zeros<int>(sequences + 1);
  cudaMemcpy(starts, s.data(), (sequences + 1) * 4, cudaMemcpyHostToDevice);
  float *x = numbers<float>(s[sequences]), *mean = numbers<float>(sequences);
  timeLaunches("raggedmean,slow", beginClean,
               [&] { slow<<<sequences, 256>>>(x, starts, mean); });
  timeLaunches("raggedmean,fast", beginClean,
               [&] { fast<<<sequences / 8, 256>>>(x, starts, mean); });
}
