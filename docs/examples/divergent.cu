//===- divergent.cu - Every way in which lanes can part --------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Branches that depend on the thread, few of which cost the same.
//   divergeByParity     lanes of every warp differ: both sides are walked
//   divergePartly       only the first warp of a block differs
//   divergeBetweenWarps warps differ, lanes of one warp never do: free
//   divergeAtTheEnd     a guard: at most one warp of the grid differs
//   divergeByData       what the memory holds decides
//   divergeInLoop       a warp runs as long as its longest lane: 32 rounds
//                       where lanes need 16.5 on average
// The sides are loops, too long to be turned into predicated instructions.
//
// Usage: divergent [elements]
//
//===----------------------------------------------------------------------===//

#include "example.h"

/// A side of a branch: \p rounds dependent multiply-adds.
__device__ float walk(float x, float factor, int rounds) {
#pragma unroll 1
  for (int k = 0; k < rounds; ++k)
    x = x * factor + 1.0f;
  return x;
}

__global__ void divergeByParity(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  if (threadIdx.x & 1)
    x = walk(x, 0.5f, 64);
  else
    x = walk(x, 0.25f, 48);
  data[i] = x;
}

__global__ void divergePartly(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  if (threadIdx.x < 16)
    x = walk(x, 0.5f, 64);
  else
    x = walk(x, 0.25f, 48);
  data[i] = x;
}

__global__ void divergeBetweenWarps(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  if (threadIdx.x / 32 & 1)
    x = walk(x, 0.5f, 64);
  else
    x = walk(x, 0.25f, 48);
  data[i] = x;
}

__global__ void divergeAtTheEnd(float *data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = walk(data[i], 0.5f, 64);
}

__global__ void divergeByData(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  if (x > 0.0f)
    x = walk(x, 0.5f, 64);
  else
    x = walk(x, 0.25f, 48);
  data[i] = x;
}

__global__ void divergeInLoop(float *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  data[i] = walk(data[i], 0.5f, threadIdx.x % 32 + 1);
}

static float walkOnHost(float x, float factor, int rounds) {
  for (int k = 0; k < rounds; ++k)
    x = x * factor + 1.0f;
  return x;
}

int main(int argc, char **argv) {
  // A multiple of the block size: only divergeAtTheEnd checks its bounds.
  int n = argumentOr(argc, argv, 1, 1 << 22) / 256 * 256;
  std::vector<float> start(n);
  for (int i = 0; i < n; ++i)
    start[i] = i % 3 ? 1.0f : -1.0f;
  dim3 grid(n / 256), block(256);
  bool right = true;
  // The device fuses multiply and add, the host need not.
  auto isNear = [](float x, float y) { return x - y < 1e-5f && y - x < 1e-5f; };

  DeviceArray<float> parity(start);
  divergeByParity<<<grid, block>>>(parity);
  finish("divergeByParity");
  right &= verdict("divergeByParity",
                   isNear(parity.toHost()[1], walkOnHost(start[1], 0.5f, 64)));

  DeviceArray<float> partly(start);
  divergePartly<<<grid, block>>>(partly);
  finish("divergePartly");
  right &= verdict("divergePartly", isNear(partly.toHost()[16],
                                           walkOnHost(start[16], 0.25f, 48)));

  DeviceArray<float> between(start);
  divergeBetweenWarps<<<grid, block>>>(between);
  finish("divergeBetweenWarps");
  right &=
      verdict("divergeBetweenWarps",
              isNear(between.toHost()[32], walkOnHost(start[32], 0.5f, 64)));

  DeviceArray<float> atTheEnd(start);
  divergeAtTheEnd<<<grid, block>>>(atTheEnd, n - 5);
  finish("divergeAtTheEnd");
  right &= verdict("divergeAtTheEnd", atTheEnd.toHost()[n - 1] == start[n - 1]);

  DeviceArray<float> byData(start);
  divergeByData<<<grid, block>>>(byData);
  finish("divergeByData");
  right &= verdict("divergeByData",
                   isNear(byData.toHost()[0], walkOnHost(start[0], 0.25f, 48)));

  DeviceArray<float> inLoop(start);
  divergeInLoop<<<grid, block>>>(inLoop);
  finish("divergeInLoop");
  right &= verdict("divergeInLoop",
                   isNear(inLoop.toHost()[3], walkOnHost(start[3], 0.5f, 4)));
  return right ? 0 : 1;
}
