//===- bytelut.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A table of 256 floats for bytes; cure: in shared memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void choose(int *id, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  id[i] = ((x ^ x >> 15) * 2246822519u >> 5) % n;
}
__global__ void slow(const uchar4 *in, const float *lut, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; k++) {
    uchar4 p = in[k * n + i];
    sum += lut[p.x] + lut[p.y] + lut[p.z] + lut[p.w];
  }
  out[i] = sum;
}
__global__ void fast(const uchar4 *in, const float *lut, float *out, int n) {
  __shared__ float s[256];
  s[threadIdx.x] = lut[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 32; k++) {
    uchar4 p = in[k * n + i];
    sum += s[p.x] + s[p.y] + s[p.z] + s[p.w];
  }
  out[i] = sum;
}
int main() {
  const int n = 1 << 19;
  uchar4 *a = zeros<uchar4>(32 * n);
  float *t = numbers<float>(256), *b = numbers<float>(n);
  choose<<<32 * n / 256, 256>>>((int *)a, 0x7ffffff);
  timeLaunches("bytelut,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, t, b, n); });
  timeLaunches("bytelut,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, t, b, n); });
}
