//===- halo.cu - A tile that L1 would replace --------------------*- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Five points of a plane through a tile with a halo in shared memory. The
// mended kernel loads them from global memory, where L1 keeps the lines.
//
//===----------------------------------------------------------------------===//

#include "pair.h"

constexpr int Width = 4096, Height = 4096, Pitch = Width + 4;

__global__ void naive(float *__restrict__ out, const float *__restrict__ in) {
  __shared__ float tile[10][34];
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int at = (blockIdx.y * 8 + y) * Pitch + blockIdx.x * 32 + x;
  tile[y][x] = in[at];
  if (threadIdx.x == 0)
    tile[y][0] = in[at - 1];
  if (threadIdx.x == 31)
    tile[y][33] = in[at + 1];
  if (threadIdx.y == 0)
    tile[0][x] = in[at - Pitch];
  if (threadIdx.y == 7)
    tile[9][x] = in[at + Pitch];
  __syncthreads();
  out[at] = tile[y][x] + tile[y][x - 1] + tile[y][x + 1] + tile[y - 1][x] +
            tile[y + 1][x];
}

__global__ void fixed(float *__restrict__ out, const float *__restrict__ in) {
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int at = (blockIdx.y * 8 + y) * Pitch + blockIdx.x * 32 + x;
  out[at] = in[at] + in[at - 1] + in[at + 1] + in[at - Pitch] + in[at + Pitch];
}

int main() {
  std::vector<float> values = noise(std::size_t(Pitch) * (Height + 2));
  DeviceArray<float> in(values), naiveOut(values), fixedOut(values);
  dim3 grid(Width / 32, Height / 8), block(32, 8);
  Pair pair("halo");
  while (pair.next("naive"))
    naive<<<grid, block>>>(naiveOut, in);
  while (pair.next("fixed"))
    fixed<<<grid, block>>>(fixedOut, in);
  return compare(naiveOut.toHost(), fixedOut.toHost());
}
