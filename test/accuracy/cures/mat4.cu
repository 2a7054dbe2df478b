//===- mat4.cu - A kernel with one finding --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Matrices of 4x4, word by word; cure: float4.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const float *m, const float4 *v, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 p = v[i], r;
  r.x = m[i * 16] * p.x + m[i * 16 + 1] * p.y + m[i * 16 + 2] * p.z +
        m[i * 16 + 3] * p.w;
  r.y = m[i * 16 + 4] * p.x + m[i * 16 + 5] * p.y + m[i * 16 + 6] * p.z +
        m[i * 16 + 7] * p.w;
  r.z = m[i * 16 + 8] * p.x + m[i * 16 + 9] * p.y + m[i * 16 + 10] * p.z +
        m[i * 16 + 11] * p.w;
  r.w = m[i * 16 + 12] * p.x + m[i * 16 + 13] * p.y + m[i * 16 + 14] * p.z +
        m[i * 16 + 15] * p.w;
  out[i] = r;
}
__global__ void fast(const float4 *m, const float4 *v, float4 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float4 p = v[i], r;
  float4 a = m[i * 4], b = m[i * 4 + 1], c = m[i * 4 + 2], d = m[i * 4 + 3];
  r.x = a.x * p.x + a.y * p.y + a.z * p.z + a.w * p.w;
  r.y = b.x * p.x + b.y * p.y + b.z * p.z + b.w * p.w;
  r.z = c.x * p.x + c.y * p.y + c.z * p.z + c.w * p.w;
  r.w = d.x * p.x + d.y * p.y + d.z * p.z + d.w * p.w;
  out[i] = r;
}
int main() {
  const int n = 1 << 20;
  float *m = numbers<float>(16 * n);
  float4 *v = numbers<float4>(n), *b = numbers<float4>(n);
  timeLaunches("mat4,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(m, v, b, n); });
  timeLaunches("mat4,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>((float4 *)m, v, b, n); });
}
