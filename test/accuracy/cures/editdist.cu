//===- editdist.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Edit distances of words of 32 letters, a thread a pair, whose row is an
/// array of a thread's own; cure: shared memory, a column for each thread.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const char *a, const char *b, int *out, int pairs,
                     int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  int row[33];
  for (int k = 0; k <= length; k++)
    row[k] = k;
  for (int y = 0; y < length; y++) {
    char letter = a[y * pairs + i];
    int corner = row[0], left = row[0] = y + 1;
    for (int x = 0; x < length; x++) {
      int up = row[x + 1];
      left = min(min(left, up) + 1, corner + (letter != b[x * pairs + i]));
      corner = up;
      row[x + 1] = left;
    }
  }
  out[i] = row[length];
}
__global__ void fast(const char *a, const char *b, int *out, int pairs,
                     int length) {
  __shared__ short rows[33][128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  for (int k = 0; k <= length; k++)
    rows[k][threadIdx.x] = k;
  for (int y = 0; y < length; y++) {
    char letter = a[y * pairs + i];
    int corner = y, left = y + 1;
    for (int x = 0; x < length; x++) {
      int up = rows[x + 1][threadIdx.x];
      left = min(min(left, up) + 1, corner + (letter != b[x * pairs + i]));
      corner = up;
      rows[x + 1][threadIdx.x] = left;
    }
  }
  out[i] = rows[length][threadIdx.x];
}
__global__ void fill(char *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 'a' + ((unsigned)i * 2654435761u >> 24) % 26;
}
int main() {
  const int pairs = 1 << 18, length = 32;
  char *a = zeros<char>(pairs * length), *b = zeros<char>(pairs * length);
  int *c = zeros<int>(pairs);
  fill<<<pairs * length / 256, 256>>>(a, pairs * length);
  fill<<<pairs * length / 256, 256>>>(b, pairs * length);
  timeLaunches("editdist,slow", beginClean,
               [&] { slow<<<pairs / 128, 128>>>(a, b, c, pairs, length); });
  timeLaunches("editdist,fast", beginClean,
               [&] { fast<<<pairs / 128, 128>>>(a, b, c, pairs, length); });
}
