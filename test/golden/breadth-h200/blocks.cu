//===- blocks.cu - Work that a block shares --------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void sharedHistogram(const unsigned char *in, unsigned *out, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    atomicAdd(&bins[in[i]], 1);
  __syncthreads();
  atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

__global__ void doublingScan(const int *in, int *out) {
  __shared__ int line[2][512];
  int t = threadIdx.x, from = 0;
  line[0][t] = in[blockIdx.x * 512 + t];
  __syncthreads();
  for (int step = 1; step < 512; step <<= 1) {
    line[1 - from][t] = line[from][t] + (t >= step ? line[from][t - step] : 0);
    from = 1 - from;
    __syncthreads();
  }
  out[blockIdx.x * 512 + t] = line[from][t];
}

__global__ void bitonicBlocks(int *data) {
  __shared__ int line[1024];
  int t = threadIdx.x, base = blockIdx.x * 1024;
  line[t] = data[base + t];
  line[t + 512] = data[base + t + 512];
  for (int size = 2; size <= 1024; size *= 2)
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      int at = 2 * t - (t & (step - 1));
      bool up = (at & size) == 0;
      int a = line[at], b = line[at + step];
      if ((a > b) == up) {
        line[at] = b;
        line[at + step] = a;
      }
    }
  __syncthreads();
  data[base + t] = line[t];
  data[base + t + 512] = line[t + 512];
}

__global__ void transposeBytes(const unsigned char *in, unsigned char *out,
                               int n) {
  __shared__ unsigned char tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

template <int Side>
__device__ void product(const float *a, const float *b, float *c, int n) {
  __shared__ float ta[Side][Side], tb[Side][Side];
  int row = blockIdx.y * Side + threadIdx.y,
      column = blockIdx.x * Side + threadIdx.x;
  float s = 0;
  for (int t = 0; t < (n + Side - 1) / Side; ++t) {
    int ca = t * Side + threadIdx.x, rb = t * Side + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] = row < n && ca < n ? a[row * n + ca] : 0;
    tb[threadIdx.y][threadIdx.x] =
        rb < n && column < n ? b[rb * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < Side; ++k)
      s += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n)
    c[row * n + column] = s;
}

__global__ void productTile13(const float *a, const float *b, float *c, int n) {
  product<13>(a, b, c, n);
}

__global__ void halo2d(const float *in, float *out, int n) {
  __shared__ float tile[18][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  for (int ty = threadIdx.y; ty < 18; ty += 16)
    for (int tx = threadIdx.x; tx < 34; tx += 32) {
      int gx = min(max(blockIdx.x * 32 + tx - 1, 0u), (unsigned)n - 1);
      int gy = min(max((int)(blockIdx.y * 16 + ty) - 1, 0), n - 1);
      tile[ty][tx] = in[gy * n + gx];
    }
  __syncthreads();
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  out[y * n + x] = 0.2f * (tile[ty][tx] + tile[ty - 1][tx] + tile[ty + 1][tx] +
                           tile[ty][tx - 1] + tile[ty][tx + 1]);
}

__global__ void bodies(const float4 *at, float3 *force, int n) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  float4 p = at[i];
  float3 f = {0, 0, 0};
  for (int t = 0; t < n; t += 128) {
    tile[threadIdx.x] = at[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      float dx = tile[k].x - p.x, dy = tile[k].y - p.y, dz = tile[k].z - p.z;
      float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
      float s = tile[k].w * inv * inv * inv;
      f.x += dx * s;
      f.y += dy * s;
      f.z += dz * s;
    }
    __syncthreads();
  }
  force[i] = f;
}

// Edit distance of pairs of strings by antidiagonals, a block a pair.
__global__ void editDistance(const char *a, const char *b, int *out,
                             int length) {
  __shared__ int diagonal[3][129];
  __shared__ char sa[128], sb[128];
  int t = threadIdx.x;
  sa[t] = a[blockIdx.x * length + t];
  sb[t] = b[blockIdx.x * length + t];
  int old = 0, last = 1, now = 2;
  __syncthreads();
  for (int d = 0; d <= 2 * length; ++d) {
    for (int i = t; i <= min(d, length); i += 128) {
      int j = d - i;
      if (j <= length) {
        int v;
        if (i == 0 || j == 0)
          v = i + j;
        else
          v = min(min(diagonal[last][i - 1], diagonal[last][i]) + 1,
                  diagonal[old][i - 1] + (sa[i - 1] != sb[j - 1]));
        diagonal[now][i] = v;
      }
    }
    __syncthreads();
    int free = old;
    old = last;
    last = now;
    now = free;
  }
  if (t == 0)
    out[blockIdx.x] = diagonal[last][length];
}

__global__ void groupSum(const float *in, float *out, int n) {
  cg::thread_block block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  __shared__ float part[8];
  float s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    s += in[i];
  s = cg::reduce(warp, s, cg::plus<float>());
  if (warp.thread_rank() == 0)
    part[warp.meta_group_rank()] = s;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    s = warp.thread_rank() < 8 ? part[warp.thread_rank()] : 0;
    s = cg::reduce(warp, s, cg::plus<float>());
    if (warp.thread_rank() == 0)
      atomicAdd(out, s);
  }
}

__global__ void treeSum(const float *in, float *out) {
  extern __shared__ float line[];
  int t = threadIdx.x;
  line[t] = in[blockIdx.x * blockDim.x * 2 + t] +
            in[blockIdx.x * blockDim.x * 2 + blockDim.x + t];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0)
      line[t] += line[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = line[0];
}

int main() {
  const int n = 1 << 20;
  int *in = numbers(n, 1 << 30), *out = cleared<int>(n);
  float *f = fractions(4 * n), *g = cleared<float>(4 * n);
  sharedHistogram<<<132, 256>>>((unsigned char *)in, (unsigned *)out, 2 * n);
  doublingScan<<<n / 512, 512>>>(in, out);
  bitonicBlocks<<<n / 1024, 512>>>(in);
  transposeBytes<<<dim3(64, 64), dim3(32, 8)>>>((unsigned char *)in,
                                                (unsigned char *)out, 2048);
  productTile13<<<dim3(31, 31), dim3(13, 13)>>>(f, f + n, g, 400);
  halo2d<<<dim3(32, 64), dim3(32, 16)>>>(f, g, 1024);
  bodies<<<8192 / 128, 128>>>((float4 *)f, (float3 *)g, 8192);
  std::vector<char> text(512 * 128);
  for (char &c : text)
    c = 'a' + drawn() % 4;
  char *s = uploaded(text),
       *s2 = uploaded(std::vector<char>(text.rbegin(), text.rend()));
  editDistance<<<512, 128>>>(s, s2, out, 128);
  groupSum<<<264, 256>>>(f, g, 4 * n);
  treeSum<<<4 * n / 512, 256, 1024>>>(f, g);
  return finished("blocks");
}
