//===- jacobi.cu - Four ways to write one relaxation step ------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A weighted Jacobi step for Poisson's equation on a square grid with fixed
// boundary, in the variants of uCLbench (Thoman et al., section 4.2).
//   jacobiNaive       every thread asks whether its point is on the boundary
//   jacobiVector      four points a thread, with 16-byte accesses
//   jacobiBranchFree  one thread for each inner point, so that none asks
//   jacobiShared      the block's points and their rim in shared memory
// The grid is (n + 2) x (n + 2) points, rows padded to a multiple of 4 so that
// every row starts on 16 bytes.
//
// Usage: jacobi [inner points a side, a multiple of 32]
//
//===----------------------------------------------------------------------===//

#include "example.h"
#include <cmath>

constexpr int BlockX = 32, BlockY = 8;

/// \p centre moved by Omega = 0.8 of the way to the mean that solves its row.
__host__ __device__ inline float relax(float centre, float left, float right,
                                       float above, float below, float source) {
  return centre +
         0.8f * (0.25f * (left + right + above + below + source) - centre);
}

__global__ void jacobiNaive(float *out, const float *u, const float *f, int n,
                            int pitch) {
  int x = blockIdx.x * BlockX + threadIdx.x;
  int y = blockIdx.y * BlockY + threadIdx.y;
  if (x > n + 1 || y > n + 1)
    return;
  int at = y * pitch + x;
  if (x == 0 || y == 0 || x == n + 1 || y == n + 1)
    out[at] = u[at];
  else
    out[at] =
        relax(u[at], u[at - 1], u[at + 1], u[at - pitch], u[at + pitch], f[at]);
}

__global__ void jacobiBranchFree(float *out, const float *u, const float *f,
                                 int pitch) {
  int x = blockIdx.x * BlockX + threadIdx.x + 1;
  int y = blockIdx.y * BlockY + threadIdx.y + 1;
  int at = y * pitch + x;
  out[at] =
      relax(u[at], u[at - 1], u[at + 1], u[at - pitch], u[at + pitch], f[at]);
}

// Points 4q to 4q + 3 of a row; the first and the last group of a row hold
// boundary points, which are kept.
__global__ void jacobiVector(float *out, const float *u, const float *f, int n,
                             int pitch) {
  int group = blockIdx.x * BlockX + threadIdx.x;
  int y = blockIdx.y * BlockY + threadIdx.y + 1;
  int x = 4 * group;
  if (x > n + 1)
    return;
  int at = y * pitch + x;
  float4 centre = *reinterpret_cast<const float4 *>(u + at);
  float4 above = *reinterpret_cast<const float4 *>(u + at - pitch);
  float4 below = *reinterpret_cast<const float4 *>(u + at + pitch);
  float4 source = *reinterpret_cast<const float4 *>(f + at);
  float left = x > 0 ? u[at - 1] : 0.0f;
  float right = x + 4 < pitch ? u[at + 4] : 0.0f;
  float4 result;
  result.x = relax(centre.x, left, centre.y, above.x, below.x, source.x);
  result.y = relax(centre.y, centre.x, centre.z, above.y, below.y, source.y);
  result.z = relax(centre.z, centre.y, centre.w, above.z, below.z, source.z);
  result.w = relax(centre.w, centre.z, right, above.w, below.w, source.w);
  result.x = x == 0 || x >= n + 1 ? centre.x : result.x;
  result.y = x + 1 >= n + 1 ? centre.y : result.y;
  result.z = x + 2 >= n + 1 ? centre.z : result.z;
  result.w = x + 3 >= n + 1 ? centre.w : result.w;
  *reinterpret_cast<float4 *>(out + at) = result;
}

__global__ void jacobiShared(float *out, const float *u, const float *f,
                             int pitch) {
  __shared__ float tile[BlockY + 2][BlockX + 2];
  int x = threadIdx.x + 1, y = threadIdx.y + 1;
  int at = (blockIdx.y * BlockY + y) * pitch + blockIdx.x * BlockX + x;
  tile[y][x] = u[at];
  if (threadIdx.x == 0)
    tile[y][0] = u[at - 1];
  if (threadIdx.x == BlockX - 1)
    tile[y][BlockX + 1] = u[at + 1];
  if (threadIdx.y == 0)
    tile[0][x] = u[at - pitch];
  if (threadIdx.y == BlockY - 1)
    tile[BlockY + 1][x] = u[at + pitch];
  __syncthreads();
  out[at] = relax(tile[y][x], tile[y][x - 1], tile[y][x + 1], tile[y - 1][x],
                  tile[y + 1][x], f[at]);
}

int main(int argc, char **argv) {
  int n = argumentOr(argc, argv, 1, 4096), pitch = (n + 2 + 3) / 4 * 4;
  std::vector<float> u(pitch * (n + 2)), f(u.size(), 0.25f);
  for (std::size_t i = 0; i < u.size(); ++i)
    u[i] = static_cast<float>(i % 17);
  std::vector<float> expected = u;
  for (int y = 1; y <= n; ++y)
    for (int x = 1; x <= n; ++x) {
      int at = y * pitch + x;
      expected[at] = relax(u[at], u[at - 1], u[at + 1], u[at - pitch],
                           u[at + pitch], f[at]);
    }
  DeviceArray<float> in(u), source(f);
  dim3 block(BlockX, BlockY), inner(n / BlockX, n / BlockY);
  bool right = true;
  auto isExpected = [&](const std::vector<float> &got) {
    for (int y = 0; y < n + 2; ++y)
      for (int x = 0; x < n + 2; ++x)
        if (std::fabs(got[y * pitch + x] - expected[y * pitch + x]) > 1e-4f)
          return false;
    return true;
  };

  DeviceArray<float> naive(u);
  dim3 whole((n + 2 + BlockX - 1) / BlockX, (n + 2 + BlockY - 1) / BlockY);
  jacobiNaive<<<whole, block>>>(naive, in, source, n, pitch);
  finish("jacobiNaive");
  right &= verdict("jacobiNaive", isExpected(naive.toHost()));

  DeviceArray<float> branchFree(u);
  jacobiBranchFree<<<inner, block>>>(branchFree, in, source, pitch);
  finish("jacobiBranchFree");
  right &= verdict("jacobiBranchFree", isExpected(branchFree.toHost()));

  DeviceArray<float> vector(u);
  dim3 groups((pitch / 4 + BlockX - 1) / BlockX, n / BlockY);
  jacobiVector<<<groups, block>>>(vector, in, source, n, pitch);
  finish("jacobiVector");
  right &= verdict("jacobiVector", isExpected(vector.toHost()));

  DeviceArray<float> shared(u);
  jacobiShared<<<inner, block>>>(shared, in, source, pitch);
  finish("jacobiShared");
  right &= verdict("jacobiShared", isExpected(shared.toHost()));
  return right ? 0 : 1;
}
