//===- gather.cu - A gather in no order, and in order ----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only what the index holds differs.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

__global__ void naive(float *out, const float *in, const int *index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i]];
}

__global__ void fixed(float *out, const float *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

/// Same code as naive(), with an index in order.
__global__ void sorted(float *out, const float *in, const int *index) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[index[i]];
}

int main() {
  int size = 1 << 25;
  std::vector<int> order(size), shuffled(size);
  for (int i = 0; i < size; ++i)
    order[i] = i;
  unsigned state = 1;
  shuffled = order;
  for (int i = size - 1; i > 0; --i) {
    state = state * 1664525u + 1013904223u;
    std::swap(shuffled[i], shuffled[(unsigned long)state * i >> 32]);
  }
  DeviceArray<float> in(noise(size)), out(size);
  DeviceArray<int> shuffledIndex(shuffled), orderedIndex(order);
  Pair pair("gather");
  while (pair.next("naive"))
    naive<<<size / 256, 256>>>(out, in, shuffledIndex);
  while (pair.next("sorted"))
    sorted<<<size / 256, 256>>>(out, in, orderedIndex);
  while (pair.next("fixed"))
    fixed<<<size / 256, 256>>>(out, in);
  return 0;
}
