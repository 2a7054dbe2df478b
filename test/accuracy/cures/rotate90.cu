//===- rotate90.cu - A kernel with one finding ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An image is turned by a quarter, reads along rows, writes along columns;
/// cure: by tiles in shared memory.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const uchar4 *in, uchar4 *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h)
    out[x * h + (h - 1 - y)] = in[y * w + x];
}
__global__ void fast(const uchar4 *in, uchar4 *out, int w, int h) {
  __shared__ uchar4 tile[32][33];
  int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 32; r += 8)
    tile[r][threadIdx.x] = in[(y0 + r) * w + x0 + threadIdx.x];
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8)
    out[(x0 + r) * h + (h - 1 - y0 - 31 + threadIdx.x)] =
        tile[31 - threadIdx.x][r];
}
int main() {
  const int w = 4096, h = 4096;
  uchar4 *in = zeros<uchar4>(w * h), *out = zeros<uchar4>(w * h);
  timeLaunches("rotate90,slow", beginClean, [&] {
    slow<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(in, out, w, h);
  });
  timeLaunches("rotate90,fast", beginClean, [&] {
    fast<<<dim3(w / 32, h / 32), dim3(32, 8)>>>(in, out, w, h);
  });
}
