//===- packedrecord.cu - A kernel with one finding ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Members of a structure without padding; cure: an aligned one.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct __attribute__((packed)) Record {
  unsigned char tag;
  float price;
  int amount;
};
struct alignas(4) Padded {
  float price;
  int amount;
  unsigned char tag;
};
__global__ void slow(const Record *r, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = r[i].tag ? r[i].price * r[i].amount : 0;
}
__global__ void fast(const Padded *r, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = r[i].tag ? r[i].price * r[i].amount : 0;
}
__global__ void fill(Record *r, Padded *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  r[i].tag = p[i].tag = 1;
}
__global__ void advised(const Record *r, float4 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; k++) {
    Record s = r[4 * i + k];
    v[k] = s.tag ? s.price * s.amount : 0;
  }
  out[i] = make_float4(v[0], v[1], v[2], v[3]);
}
int main() {
  const int n = 1 << 23;
  Record *r = zeros<Record>(n);
  Padded *p = zeros<Padded>(n);
  float *o = numbers<float>(n);
  fill<<<n / 256, 256>>>(r, p);
  timeLaunches("packedrecord,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(r, o); });
  timeLaunches("packedrecord,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(p, o); });
  timeLaunches("packedrecord,advised", beginClean,
               [&] { advised<<<n / 1024, 256>>>(r, (float4 *)o); });
}
