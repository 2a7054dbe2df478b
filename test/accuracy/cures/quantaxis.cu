//===- quantaxis.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Numbers quantized by the scale of their channel, told by two divisions;
/// cure: divisions by multiplication with numbers that the host computes.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(signed char *q, const float *x, const float *scale,
                     const signed char *zero, int n, int plane, int channels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int c = i / plane % channels;
  float v = rintf(x[i] / scale[c]) + zero[c];
  q[i] = (signed char)fminf(127.f, fmaxf(-128.f, v));
}
struct Magic {
  unsigned by, shift;
};
__global__ void fast(signed char *q, const float *x, const float *scale,
                     const signed char *zero, int n, Magic plane, Magic all,
                     int channels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned a = (__umulhi(i, plane.by) + i) >> plane.shift;
  unsigned b = (__umulhi(a, all.by) + a) >> all.shift;
  int c = a - b * channels;
  float v = rintf(x[i] / scale[c]) + zero[c];
  q[i] = (signed char)fminf(127.f, fmaxf(-128.f, v));
}
__global__ void fill(float *scale) { scale[threadIdx.x] = 0.01f; }
static Magic magicOf(unsigned d) {
  Magic m = {0, 0};
  while ((1ull << m.shift) < d)
    m.shift++;
  m.by = unsigned(((1ull << 32) * ((1ull << m.shift) - d)) / d + 1);
  return m;
}
int main() {
  const int channels = 96, plane = 56 * 56, n = 32 * channels * plane;
  float *x = numbers<float>(n), *s = numbers<float>(channels);
  auto *z = zeros<signed char>(channels), *q = zeros<signed char>(n);
  fill<<<1, channels>>>(s);
  Magic p = magicOf(plane), c = magicOf(channels);
  timeLaunches("quantaxis,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(q, x, s, z, n, plane, channels); });
  timeLaunches("quantaxis,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(q, x, s, z, n, p, c, channels); });
}
