//===- rope.cu - A kernel with one finding ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Angles of each head anew; cure: a table of the sines and cosines.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float2 *x, int heads, int half) {
  int i = threadIdx.x, h = blockIdx.x % heads, pos = blockIdx.x / heads;
  float angle = pos * powf(10000.0f, -(float)i / half);
  float c = cosf(angle), s = sinf(angle);
  float2 *p = x + (pos * heads + h) * half + i;
  float2 v = *p;
  *p = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
}
__global__ void fast(float2 *x, const float2 *table, int heads, int half) {
  int i = threadIdx.x, h = blockIdx.x % heads, pos = blockIdx.x / heads;
  float2 t = table[pos * half + i];
  float2 *p = x + (pos * heads + h) * half + i;
  float2 v = *p;
  *p = make_float2(v.x * t.x - v.y * t.y, v.x * t.y + v.y * t.x);
}
__global__ void advised(float4 *x, int heads, int half) {
  int i = 2 * threadIdx.x, h = blockIdx.x % heads, pos = blockIdx.x / heads;
  float a0 = pos * powf(10000.0f, -(float)i / half);
  float a1 = pos * powf(10000.0f, -(float)(i + 1) / half);
  float c0 = cosf(a0), s0 = sinf(a0), c1 = cosf(a1), s1 = sinf(a1);
  float4 *p = x + (pos * heads + h) * half / 2 + threadIdx.x;
  float4 v = *p;
  *p = make_float4(v.x * c0 - v.y * s0, v.x * s0 + v.y * c0,
                   v.z * c1 - v.w * s1, v.z * s1 + v.w * c1);
}
__global__ void halfblocks(float4 *x, int heads, int half) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int i = 2 * (t % (half / 2)), row = t / (half / 2), pos = row / heads;
  float a0 = pos * powf(10000.0f, -(float)i / half);
  float a1 = pos * powf(10000.0f, -(float)(i + 1) / half);
  float c0 = cosf(a0), s0 = sinf(a0), c1 = cosf(a1), s1 = sinf(a1);
  float4 v = x[t];
  x[t] = make_float4(v.x * c0 - v.y * s0, v.x * s0 + v.y * c0,
                     v.z * c1 - v.w * s1, v.z * s1 + v.w * c1);
}
int main() {
  const int heads = 32, half = 64, length = 4096;
  float2 *x = numbers<float2>(heads * half * length),
         *t = numbers<float2>(half * length);
  timeLaunches("rope,slow", beginClean,
               [&] { slow<<<heads * length, half>>>(x, heads, half); });
  timeLaunches("rope,fast", beginClean,
               [&] { fast<<<heads * length, half>>>(x, t, heads, half); });
  timeLaunches("rope,advised", beginClean, [&] {
    advised<<<heads * length, half / 2>>>((float4 *)x, heads, half);
  });
  timeLaunches("rope,halfblocks", beginClean, [&] {
    halfblocks<<<heads * length / 2, half>>>((float4 *)x, heads, half);
  });
}
