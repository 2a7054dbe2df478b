//===- pairsum.cu - A kernel with one finding -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How long pairs of rows agree from a site on, summed by an atomic of each
/// thread; cure: of each warp.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(float *total, const unsigned char *row, int rows,
                     int sites) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x, site = blockIdx.y;
  if (pair >= rows * rows)
    return;
  int a = pair / rows, b = pair % rows, length = 0;
  for (int s = site;
       s < sites && length < 16 && row[s * rows + a] == row[s * rows + b]; s++)
    length++;
  atomicAdd(&total[site], (float)length);
}
__global__ void fast(float *total, const unsigned char *row, int rows,
                     int sites) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x, site = blockIdx.y;
  int length = 0;
  if (pair < rows * rows) {
    int a = pair / rows, b = pair % rows;
    for (int s = site;
         s < sites && length < 16 && row[s * rows + a] == row[s * rows + b];
         s++)
      length++;
  }
  float sum = length;
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&total[site], sum);
}
__global__ void blocks(float *total, const unsigned char *row, int rows,
                       int sites) {
  __shared__ float part[8];
  int pair = blockIdx.x * blockDim.x + threadIdx.x, site = blockIdx.y;
  int length = 0;
  if (pair < rows * rows) {
    int a = pair / rows, b = pair % rows;
    for (int s = site;
         s < sites && length < 16 && row[s * rows + a] == row[s * rows + b];
         s++)
      length++;
  }
  float sum = length;
  for (int d = 16; d; d /= 2)
    sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (int w = 0; w < 8; w++)
      sum += part[w];
    atomicAdd(&total[site], sum);
  }
}
__global__ void fill(unsigned char *row, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = unsigned(i) * 2654435761u;
  if (i < n)
    row[i] = (s ^ s >> 15) >> 9 & 1;
}
int main() {
  const int rows = 200, sites = 400, pairs = rows * rows;
  auto *row = zeros<unsigned char>(rows * sites);
  float *t = numbers<float>(sites);
  fill<<<(rows * sites + 255) / 256, 256>>>(row, rows * sites);
  timeLaunches("pairsum,slow", beginClean, [&] {
    slow<<<dim3((pairs + 255) / 256, sites), 256>>>(t, row, rows, sites);
  });
  timeLaunches("pairsum,fast", beginClean, [&] {
    fast<<<dim3((pairs + 255) / 256, sites), 256>>>(t, row, rows, sites);
  });
  timeLaunches("pairsum,blocks", beginClean, [&] {
    blocks<<<dim3((pairs + 255) / 256, sites), 256>>>(t, row, rows, sites);
  });
}
