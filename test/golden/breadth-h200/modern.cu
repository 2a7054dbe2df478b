//===- modern.cu - Groups, votes, copies, large kernels --------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void jacobiGrid(float *a, float *b, int n, int steps) {
  cg::grid_group grid = cg::this_grid();
  for (int s = 0; s < steps; ++s) {
    for (int i = grid.thread_rank() + 1; i < n - 1; i += grid.size())
      b[i] = 0.5f * (a[i - 1] + a[i + 1]);
    grid.sync();
    float *t = a;
    a = b;
    b = t;
  }
}

__global__ void asyncTiles(const float *in, float *out, int tiles) {
  __shared__ float tile[2][256];
  cg::thread_block block = cg::this_thread_block();
  const float *from = in + (size_t)blockIdx.x * tiles * 256;
  float s = 0;
  cg::memcpy_async(block, tile[0], from, 1024);
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      cg::memcpy_async(block, tile[(t + 1) & 1], from + (t + 1) * 256, 1024);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    s += tile[t & 1][threadIdx.x] * tile[t & 1][255 - threadIdx.x];
    block.sync();
  }
  out[blockIdx.x * 256 + threadIdx.x] = s;
}

__global__ void ballotCompact(const int *in, int *out, int *count, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  bool keep = in[i] < limit;
  unsigned mask = __ballot_sync(~0u, keep);
  int base = 0;
  if (lane == 0 && mask)
    base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(~0u, base, 0);
  if (keep)
    out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

__global__ void matchGroups(const int *key, int *count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned same = __match_any_sync(~0u, key[i]);
  if (__ffs(same) - 1 == (threadIdx.x & 31))
    atomicAdd(&count[key[i]], __popc(same));
}

__global__ void warpSortRows(int *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
  int v = data[i];
  for (int size = 2; size <= 32; size *= 2)
    for (int step = size / 2; step; step /= 2) {
      int other = __shfl_xor_sync(~0u, v, step);
      bool up = (lane & size) == 0, low = (lane & step) == 0;
      v = (low == up) ? min(v, other) : max(v, other);
    }
  data[i] = v;
}

__global__ void topFive(const float *in, float *out, int candidates) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  float best[5] = {1e30f, 1e30f, 1e30f, 1e30f, 1e30f};
  for (int c = 0; c < candidates; ++c) {
    float v = in[(size_t)c * all + i];
    if (v < best[4]) {
      int k = 4;
      while (k > 0 && best[k - 1] > v) {
        best[k] = best[k - 1];
        --k;
      }
      best[k] = v;
    }
  }
  for (int k = 0; k < 5; ++k)
    out[k * all + i] = best[k];
}

__global__ void insertionSort(const int *in, int *out) {
  int line[24], i = blockIdx.x * blockDim.x + threadIdx.x,
                all = gridDim.x * blockDim.x;
  for (int k = 0; k < 24; ++k) {
    int v = in[k * all + i], at = k;
    while (at > 0 && line[at - 1] > v) {
      line[at] = line[at - 1];
      --at;
    }
    line[at] = v;
  }
  for (int k = 0; k < 24; ++k)
    out[k * all + i] = line[k];
}

// The inverse of a 6 by 6 matrix in each thread.
__global__ void invertSix(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float m[6][6], r[6][6];
#pragma unroll
  for (int a = 0; a < 6; ++a)
#pragma unroll
    for (int b = 0; b < 6; ++b) {
      m[a][b] = in[(a * 6 + b) * n + i] + (a == b ? 6 : 0);
      r[a][b] = a == b;
    }
#pragma unroll
  for (int p = 0; p < 6; ++p) {
    float inv = 1 / m[p][p];
#pragma unroll
    for (int b = 0; b < 6; ++b) {
      m[p][b] *= inv;
      r[p][b] *= inv;
    }
#pragma unroll
    for (int a = 0; a < 6; ++a)
      if (a != p) {
        float by = m[a][p];
#pragma unroll
        for (int b = 0; b < 6; ++b) {
          m[a][b] -= by * m[p][b];
          r[a][b] -= by * r[p][b];
        }
      }
  }
#pragma unroll
  for (int a = 0; a < 36; ++a)
    out[a * n + i] = r[a / 6][a % 6];
}

__global__ void __launch_bounds__(256, 8)
    spilling(const float *in, float *out, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[48];
#pragma unroll
  for (int k = 0; k < 48; ++k)
    v[k] = in[k * n + i];
  for (int r = 0; r < rounds; ++r)
#pragma unroll
    for (int k = 0; k < 48; ++k)
      v[k] = v[k] * 0.5f + v[(k + 7) % 48] * 0.25f;
  float s = 0;
#pragma unroll
  for (int k = 0; k < 48; ++k)
    s += v[k];
  out[i] = s;
}

__global__ void volatileSum(const volatile float *in, float *out, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < rounds; ++k)
    s += in[i];
  out[i] = s;
}

__global__ void readOnlyGather(const int *__restrict__ at,
                               const float4 *__restrict__ in,
                               float *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = __ldg(in + at[i]);
  out[i] = v.x + v.y * v.z - v.w;
}

__global__ void residual(const float *a, float *b, float *worst, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float d = 0;
  if (i > 0 && i < n - 1) {
    float v = 0.5f * a[i] + 0.25f * (a[i - 1] + a[i + 1]);
    d = fabsf(v - a[i]);
    b[i] = v;
  }
  for (int o = 16; o; o /= 2)
    d = fmaxf(d, __shfl_xor_sync(~0u, d, o));
  if ((threadIdx.x & 31) == 0)
    atomicMax((int *)worst, __float_as_int(d));
}

int main() {
  const int n = 1 << 20;
  float *f = fractions(8 * n), *g = cleared<float>(8 * n);
  int *in = numbers(2 * n, 1000), *out = cleared<int>(2 * n);
  int cells = n, steps = 10;
  void *of[] = {&f, &g, &cells, &steps};
  cudaLaunchCooperativeKernel((void *)jacobiGrid, dim3(264), dim3(256), of, 0,
                              0);
  asyncTiles<<<264, 256>>>(f, g, 30);
  int *count = cleared<int>(1000);
  ballotCompact<<<n / 256, 256>>>(in, out, count, 300);
  matchGroups<<<n / 8 / 256, 256>>>(in, count);
  warpSortRows<<<n / 128, 128>>>(in);
  topFive<<<n / 16 / 128, 128>>>(f, g, 100);
  insertionSort<<<n / 16 / 128, 128>>>(in, out);
  invertSix<<<n / 8 / 128, 128>>>(f, g, n / 8);
  spilling<<<n / 8 / 256, 256>>>(f, g, n / 8, 20);
  volatileSum<<<n / 256, 256>>>(f, g, 16);
  readOnlyGather<<<n / 256, 256>>>(numbers(n, n), (float4 *)f, g);
  float *worst = cleared<float>(1), found = 1;
  for (int k = 0; k < 12 && found > 0.12f; ++k) {
    cudaMemset(worst, 0, 4);
    residual<<<n / 256, 256>>>(k & 1 ? g : f, k & 1 ? f : g, worst, n);
    cudaMemcpy(&found, worst, 4, cudaMemcpyDeviceToHost);
  }
  printf("%g\n", found);
  return finished("modern");
}
