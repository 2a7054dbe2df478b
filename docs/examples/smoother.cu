//===- smoother.cu - Predication against arithmetic ------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One colour of a red-black Gauss-Seidel sweep over a cube, in three ways that
// compute the same (after the HPGMG proxy of Ding and Williams 2019, section
// IV.B). Cells of the colour are updated, the others copied.
//   smoothFp       no branch: the update is multiplied by a stored 0 or 1, so
//                  every lane computes and half of it is thrown away
//   smoothBranch   a branch that half the lanes of every warp take
//   smoothStride2  half as many threads, each with two neighbouring cells:
//                  neither waste, but accesses of stride 2
// The cube has a shell of boundary cells, one deep.
//
// Usage: smoother [cells a side, a multiple of 32]
//
//===----------------------------------------------------------------------===//

#include "example.h"

constexpr int TileX = 32, TileY = 8;

/// Where cell (i, j, k) lies; inner cells count from 0.
__host__ __device__ inline int cell(int i, int j, int k, int n) {
  return ((k + 1) * (n + 2) + j + 1) * (n + 2) + i + 1;
}

/// The change that makes the seven-point equation of one cell hold.
__device__ float correction(const float *x, const float *rhs, int at, int n) {
  int row = n + 2, plane = row * row;
  float neighbours = x[at - 1] + x[at + 1] + x[at - row] + x[at + row] +
                     x[at - plane] + x[at + plane];
  return (rhs[at] + neighbours) * (1.0f / 6.0f) - x[at];
}

__global__ void smoothFp(float *out, const float *x, const float *rhs,
                         const float *mask, int n, int colour) {
  int i = blockIdx.x * TileX + threadIdx.x;
  int j = blockIdx.y * TileY + threadIdx.y;
  int k = blockIdx.z;
  int at = cell(i, j, k, n);
  float chosen = mask[(k + colour) % 2 * n * n + j * n + i];
  out[at] = x[at] + chosen * correction(x, rhs, at, n);
}

__global__ void smoothBranch(float *out, const float *x, const float *rhs,
                             int n, int colour) {
  int i = blockIdx.x * TileX + threadIdx.x;
  int j = blockIdx.y * TileY + threadIdx.y;
  int k = blockIdx.z;
  int at = cell(i, j, k, n);
  if ((i + j + k + colour) % 2 == 0)
    out[at] = x[at] + correction(x, rhs, at, n);
  else
    out[at] = x[at];
}

__global__ void smoothStride2(float *out, const float *x, const float *rhs,
                              int n, int colour) {
  int j = blockIdx.y * TileY + threadIdx.y;
  int k = blockIdx.z;
  int first = blockIdx.x * TileX + 2 * threadIdx.x;
  int odd = (j + k + colour) % 2;
  int updated = cell(first + odd, j, k, n);
  int copied = cell(first + 1 - odd, j, k, n);
  out[updated] = x[updated] + correction(x, rhs, updated, n);
  out[copied] = x[copied];
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 128), colour = 0;
  int size = (n + 2) * (n + 2) * (n + 2);
  std::vector<float> start(size), rhs(size, 1.0f), mask(2 * n * n);
  for (int i = 0; i < size; ++i)
    start[i] = static_cast<float>(i % 13);
  for (int parity = 0; parity < 2; ++parity)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        mask[(parity * n + j) * n + i] = (i + j + parity) % 2 == 0;
  DeviceArray<float> x(start), deviceRhs(rhs), deviceMask(mask), out(start);
  dim3 grid(n / TileX, n / TileY, n), block(TileX, TileY);

  smoothFp<<<grid, block>>>(out, x, deviceRhs, deviceMask, n, colour);
  finish("smoothFp");
  std::vector<float> fp = out.toHost();

  smoothBranch<<<grid, block>>>(out, x, deviceRhs, n, colour);
  finish("smoothBranch");
  std::vector<float> branch = out.toHost();

  smoothStride2<<<grid, dim3(TileX / 2, TileY)>>>(out, x, deviceRhs, n, colour);
  finish("smoothStride2");
  std::vector<float> stride2 = out.toHost();

  bool right = true;
  for (int i = 0; i < size; ++i)
    right &= fp[i] - branch[i] < 1e-4f && branch[i] - fp[i] < 1e-4f;
  right &= branch == stride2 && branch != start;
  return verdict("smoothFp, smoothBranch, smoothStride2", right) ? 0 : 1;
}
