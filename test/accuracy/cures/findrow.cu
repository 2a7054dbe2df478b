//===- findrow.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A word is sought in each row of a text, by a thread for a row; cure: the
/// lanes of a warp vote.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(int *found, const char *text, const int *offsets, int rows,
                     const char *word, int length) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  int begin = offsets[row], end = offsets[row + 1], at = -1;
  for (int i = begin; i + length <= end; i++) {
    int j = 0;
    while (j < length && text[i + j] == word[j])
      j++;
    if (j == length) {
      at = i - begin;
      break;
    }
  }
  found[row] = at;
}
__global__ void fast(int *found, const char *text, const int *offsets, int rows,
                     const char *word, int length) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  int begin = offsets[row], end = offsets[row + 1], at = -1;
  for (int i = begin; i + length <= end; i += 32) {
    int j = 0;
    if (i + lane + length <= end)
      while (j < length && text[i + lane + j] == word[j])
        j++;
    unsigned hit = __ballot_sync(~0u, j == length);
    if (hit) {
      at = i - begin + __ffs(hit) - 1;
      break;
    }
  }
  if (lane == 0)
    found[row] = at;
}
__global__ void fill(char *text, int *offsets, char *word, int size) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, s = i * 2654435761u;
  text[i] = 'a' + ((s ^ s >> 15) >> 8) % 25;
  if (i % size == 0)
    offsets[i / size + 1] = i + size;
  if (i < 5)
    word[i] = 'z';
}
int main() {
  const int rows = 65536, size = 256;
  char *t = zeros<char>(rows * size), *w = zeros<char>(5);
  int *o = zeros<int>(rows + 1), *f = zeros<int>(rows);
  fill<<<rows * size / 256, 256>>>(t, o, w, size);
  timeLaunches("findrow,slow", beginClean,
               [&] { slow<<<rows / 128, 128>>>(f, t, o, rows, w, 5); });
  timeLaunches("findrow,fast", beginClean,
               [&] { fast<<<rows / 4, 128>>>(f, t, o, rows, w, 5); });
}
