//===- lonelydequant.cu - A kernel with one finding ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One thread a block, for 32 values; cure: 256 threads of a value.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

struct Group {
  float scale;
  unsigned char codes[16];
};
__global__ void slow(const Group *in, float *out) {
  const Group &g = in[blockIdx.x];
  float *to = out + blockIdx.x * 32;
  for (int l = 0; l < 16; l++) {
    int c = g.codes[l];
    to[2 * l] = ((c & 15) - 8) * g.scale;
    to[2 * l + 1] = ((c >> 4) - 8) * g.scale;
  }
}
__global__ void fast(const Group *in, float2 *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Group &g = in[i / 16];
  int c = g.codes[i % 16];
  out[i] = make_float2(((c & 15) - 8) * g.scale, ((c >> 4) - 8) * g.scale);
}
__global__ void packed(const Group *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const Group &g = in[i];
  float *to = out + i * 32;
  for (int l = 0; l < 16; l++) {
    int c = g.codes[l];
    to[2 * l] = ((c & 15) - 8) * g.scale;
    to[2 * l + 1] = ((c >> 4) - 8) * g.scale;
  }
}
int main() {
  const int groups = 1 << 17;
  Group *g = zeros<Group>(groups);
  float *o = numbers<float>(groups * 32);
  timeLaunches("lonelydequant,slow", beginClean,
               [&] { slow<<<groups, 1>>>(g, o); });
  timeLaunches("lonelydequant,fast", beginClean,
               [&] { fast<<<groups / 16, 256>>>(g, (float2 *)o); });
  timeLaunches("lonelydequant,packed", beginClean,
               [&] { packed<<<groups / 128, 128>>>(g, o); });
}
