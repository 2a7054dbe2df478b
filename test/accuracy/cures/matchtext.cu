//===- matchtext.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each thread compares a pattern with the text from its own byte on, all
/// bytes; cure: the text of the block in shared memory, the pattern in constant
/// memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *text, const unsigned char *pattern,
                     int *score, int length, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int same = 0;
  for (int k = 0; k < length; k++)
    same += text[i + k] == pattern[k];
  score[i] = same;
}
__constant__ unsigned char fixed[64];
__global__ void fast(const unsigned char *text, int *score, int length, int n) {
  __shared__ unsigned char s[256 + 64];
  int base = blockIdx.x * blockDim.x;
  for (int k = threadIdx.x; k < 256 + 64; k += 256)
    s[k] = text[base + k];
  __syncthreads();
  int same = 0;
  for (int k = 0; k < length; k++)
    same += s[threadIdx.x + k] == fixed[k];
  score[base + threadIdx.x] = same;
}
int main() {
  const int n = 1 << 23;
  unsigned char *text = zeros<unsigned char>(n + 256),
                *pattern = zeros<unsigned char>(64);
  int *score = zeros<int>(n);
  timeLaunches("matchtext,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(text, pattern, score, 48, n); });
  timeLaunches("matchtext,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(text, score, 48, n); });
}
