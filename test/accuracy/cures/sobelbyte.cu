//===- sobelbyte.cu - A kernel with one finding ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Edges of a grey image, a byte a thread; cure: four bytes a thread.
///
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const unsigned char *a, unsigned char *b, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  int gx = a[(y - 1) * w + x + 1] + 2 * a[y * w + x + 1] +
           a[(y + 1) * w + x + 1] - a[(y - 1) * w + x - 1] -
           2 * a[y * w + x - 1] - a[(y + 1) * w + x - 1];
  int gy = a[(y + 1) * w + x - 1] + 2 * a[(y + 1) * w + x] +
           a[(y + 1) * w + x + 1] - a[(y - 1) * w + x - 1] -
           2 * a[(y - 1) * w + x] - a[(y - 1) * w + x + 1];
  float g = sqrtf((float)(gx * gx + gy * gy));
  b[y * w + x] = g > 255 ? 255 : (unsigned char)g;
}
__global__ void fast(const unsigned char *a, unsigned char *b, int w, int h) {
  int x = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 4 || y < 1 || x >= w - 4 || y >= h - 1)
    return;
  int v[3][6];
  for (int r = 0; r < 3; r++) {
    const unsigned char *row = a + (y + r - 1) * w + x;
    uchar4 m = *(const uchar4 *)row;
    v[r][0] = row[-1];
    v[r][1] = m.x;
    v[r][2] = m.y;
    v[r][3] = m.z;
    v[r][4] = m.w;
    v[r][5] = row[4];
  }
  unsigned char o[4];
  for (int k = 0; k < 4; k++) {
    int gx = v[0][k + 2] + 2 * v[1][k + 2] + v[2][k + 2] - v[0][k] -
             2 * v[1][k] - v[2][k];
    int gy = v[2][k] + 2 * v[2][k + 1] + v[2][k + 2] - v[0][k] -
             2 * v[0][k + 1] - v[0][k + 2];
    float g = sqrtf((float)(gx * gx + gy * gy));
    o[k] = g > 255 ? 255 : (unsigned char)g;
  }
  *(uchar4 *)(b + y * w + x) = make_uchar4(o[0], o[1], o[2], o[3]);
}
int main() {
  const int w = 8192, h = 4096;
  unsigned char *a = zeros<unsigned char>(w * h),
                *b = zeros<unsigned char>(w * h);
  dim3 block(32, 8);
  timeLaunches("sobelbyte,slow", beginClean,
               [&] { slow<<<dim3(w / 32, h / 8), block>>>(a, b, w, h); });
  timeLaunches("sobelbyte,fast", beginClean,
               [&] { fast<<<dim3(w / 128, h / 8), block>>>(a, b, w, h); });
}
