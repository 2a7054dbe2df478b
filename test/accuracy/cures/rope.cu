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
int main() {
  const int heads = 32, half = 64, length = 4096;
  float2 *x = zeros<float2>(heads * half * length),
         *t = zeros<float2>(half * length);
  timeLaunches("rope,slow", beginClean,
               [&] { slow<<<heads * length, half>>>(x, heads, half); });
  timeLaunches("rope,fast", beginClean,
               [&] { fast<<<heads * length, half>>>(x, t, heads, half); });
}
