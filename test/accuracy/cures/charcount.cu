//===- charcount.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often a letter is in a text; cure: sixteen letters a thread, and one
/// atomic of each block that runs.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const char *text, int *count, char letter, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && text[i] == letter)
    atomicAdd(count, 1);
}
__global__ void fast(const uint4 *text, int *count, unsigned letters, int n) {
  int own = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n / 16;
       i += gridDim.x * blockDim.x) {
    uint4 v = text[i];
    own += __popc(__vcmpeq4(v.x, letters)) + __popc(__vcmpeq4(v.y, letters)) +
           __popc(__vcmpeq4(v.z, letters)) + __popc(__vcmpeq4(v.w, letters));
  }
  own = __reduce_add_sync(~0u, own / 8);
  if (threadIdx.x % 32 == 0)
    atomicAdd(count, own);
}
__global__ void fill(char *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = 'a' + ((unsigned)i * 2654435761u >> 20) % 26;
}
int main() {
  const int n = 1 << 25;
  char *a = zeros<char>(n);
  int *c = zeros<int>(1);
  fill<<<n / 256, 256>>>(a);
  timeLaunches("charcount,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, c, 'e', n); });
  timeLaunches("charcount,fast", beginClean,
               [&] { fast<<<1056, 256>>>((uint4 *)a, c, 0x65656565u, n); });
}
