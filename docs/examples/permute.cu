//===- permute.cu - Needed occupancy against coalescing --------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gathers source[index[i]] (after Volkov 2016, section 3.10). With
// index[i] = i every access is coalesced; with random indices each request to
// source touches up to 32 sectors. Latency grows a little, throughput drops a
// lot, so that far fewer warps are needed. Only the data tells the two apart.
//
// Usage: permute [elements]
//
//===----------------------------------------------------------------------===//

#include "example.h"

__global__ void permute(int *target, const int *source, const int *index,
                        int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    target[i] = source[index[i]];
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 1 << 24);
  std::vector<int> source(n), inOrder(n), random(n);
  unsigned int state = 1;
  for (int i = 0; i < n; ++i) {
    source[i] = ~i;
    inOrder[i] = i;
    state = state * 1664525u + 1013904223u; // a linear congruence
    random[i] = static_cast<int>((state >> 4) % static_cast<unsigned int>(n));
  }
  DeviceArray<int> deviceSource(source), deviceInOrder(inOrder),
      deviceRandom(random), target(n);
  bool right = true;

  permute<<<(n + 255) / 256, 256>>>(target, deviceSource, deviceInOrder, n);
  finish("permute");
  right &= verdict("permute, in order", target.toHost() == source);

  permute<<<(n + 255) / 256, 256>>>(target, deviceSource, deviceRandom, n);
  finish("permute");
  for (int &i : random)
    i = ~i;
  right &= verdict("permute, random", target.toHost() == random);
  return right ? 0 : 1;
}
