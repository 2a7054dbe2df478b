//===- onegroup.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The sum of an axis by one block for each group, of which there is one; cure:
/// many blocks that take turns.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(double *out, const double *in, long count) {
  __shared__ double part[512];
  double s = 0;
  for (long i = threadIdx.x; i < count; i += blockDim.x)
    s += in[blockIdx.x * count + i];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (threadIdx.x < w)
      part[threadIdx.x] += part[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}
__global__ void fast(double *out, const double *in, long count) {
  __shared__ double part[512];
  double s = 0;
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x)
    s += in[i];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int w = blockDim.x / 2; w > 0; w >>= 1) {
    if (threadIdx.x < w)
      part[threadIdx.x] += part[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(out, part[0]);
}
int main() {
  const long n = 1 << 22;
  double *in = numbers<double>(n), *out = numbers<double>(1);
  timeLaunches("onegroup,slow", beginClean,
               [&] { slow<<<1, 512>>>(out, in, n); });
  timeLaunches("onegroup,fast", beginClean,
               [&] { fast<<<264, 512>>>(out, in, n); });
}
