//===- division.cu - Division of 64 bits, and of 32 ------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of elements of a matrix whose rows have any length.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(int *out, long width, long first, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  long at = first + i, sum = 0;
#pragma unroll 1
  for (int k = 0; k < rounds; ++k) {
    sum += at / width;
    at += width + 1;
  }
  out[i] = int(sum);
}

__global__ void fixed(int *out, int width, int first, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = first + i, sum = 0;
#pragma unroll 1
  for (int k = 0; k < rounds; ++k) {
    sum += at / width;
    at += width + 1;
  }
  out[i] = sum;
}

int main() {
  int size = 1 << 20, width = 1023, first = 77, rounds = 16;
  DeviceArray<int> naiveOut(size), fixedOut(size);
  Pair pair("division");
  while (pair.next("naive"))
    naive<<<size / 256, 256>>>(naiveOut, width, first, rounds);
  while (pair.next("fixed"))
    fixed<<<size / 256, 256>>>(fixedOut, width, first, rounds);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
