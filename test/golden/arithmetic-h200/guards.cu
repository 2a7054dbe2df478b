//===- guards.cu - Pictures and fields with guarded borders ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../breadth-h200/common.h"

__constant__ float weights[25];

__global__ void sobelGuarded(const float *a, float *o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float gx = 0, gy = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int xx = x + dx, yy = y + dy;
      if (xx >= 0 && xx < w && yy >= 0 && yy < h) {
        float v = a[yy * w + xx];
        gx += v * dx;
        gy += v * dy;
      }
    }
  o[y * w + x] = gx * gx + gy * gy;
}

__global__ void constantTaps(const float *a, float *o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2)
    return;
  float s = 0;
#pragma unroll
  for (int dy = 0; dy < 5; ++dy)
#pragma unroll
    for (int dx = 0; dx < 5; ++dx)
      s += weights[dy * 5 + dx] * a[(y + dy - 2) * w + x + dx - 2];
  o[y * w + x] = s;
}

__global__ void dilateGuarded(const unsigned char *a, unsigned char *o, int w,
                              int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int best = 0;
  for (int d = -2; d <= 2; ++d) {
    if (x + d >= 0 && x + d < w)
      best = max(best, (int)a[y * w + x + d]);
    if (y + d >= 0 && y + d < h)
      best = max(best, (int)a[(y + d) * w + x]);
  }
  o[y * w + x] = best;
}

__global__ void bilinear(const float *a, float *o, int w, int h, float scale) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float fx = x * scale, fy = y * scale;
  int ix = (int)fx, iy = (int)fy;
  float ax = fx - ix, ay = fy - iy;
  float v00 = ix < w && iy < h ? a[iy * w + ix] : 0.0f;
  float v10 = ix + 1 < w && iy < h ? a[iy * w + ix + 1] : 0.0f;
  float v01 = ix < w && iy + 1 < h ? a[(iy + 1) * w + ix] : 0.0f;
  float v11 = ix + 1 < w && iy + 1 < h ? a[(iy + 1) * w + ix + 1] : 0.0f;
  o[y * w * 2 + x] =
      (v00 * (1 - ax) + v10 * ax) * (1 - ay) + (v01 * (1 - ax) + v11 * ax) * ay;
}

__global__ void field3d(const float *a, float *o, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  int i = (z * ny + y) * nx + x;
  float c = a[i], s = 0;
  if (x > 0)
    s += a[i - 1] - c;
  if (x < nx - 1)
    s += a[i + 1] - c;
  if (y > 0)
    s += a[i - nx] - c;
  if (y < ny - 1)
    s += a[i + nx] - c;
  if (z > 0)
    s += a[i - nx * ny] - c;
  if (z < nz - 1)
    s += a[i + nx * ny] - c;
  o[i] = c + 0.1f * s;
}

__global__ void pooledPadded(const float *a, float *o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float best = -1e30f;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) {
      int xx = 2 * x + dx - 1, yy = 2 * y + dy - 1;
      if ((unsigned)xx < (unsigned)w && (unsigned)yy < (unsigned)h)
        best = fmaxf(best, a[yy * w + xx]);
    }
  o[y * (w / 2) + x] = best;
}

__global__ void convolvePadded(const float *a, const float *f, float *o,
                               int channels, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int c = 0; c < channels; ++c)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        int xx = x + dx, yy = y + dy;
        if (xx >= 0 && xx < w && yy >= 0 && yy < h)
          s += a[(c * h + yy) * w + xx] * f[c * 9 + dy * 3 + dx + 4];
      }
  o[y * w + x] = s;
}

__global__ void upwind(const float *u, const float *v, const float *q, float *o,
                       int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int i = y * w + x;
  float c = q[i], dx = 0, dy = 0;
  if (u[i] > 0.5f && x > 0)
    dx = c - q[i - 1];
  else if (x < w - 1)
    dx = q[i + 1] - c;
  if (v[i] > 0.5f && y > 0)
    dy = c - q[i - w];
  else if (y < h - 1)
    dy = q[i + w] - c;
  o[i] = c - 0.1f * (u[i] * dx + v[i] * dy);
}

__global__ void lifeBordered(const int *a, int *o, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if ((dx || dy) && x + dx >= 0 && y + dy >= 0 && x + dx < w && y + dy < h)
        n += a[(y + dy) * w + x + dx] & 1;
  int own = a[y * w + x] & 1;
  o[y * w + x] = n == 3 || (own && n == 2);
}

int main() {
  const int w = 2048, h = 2048, n = w * h;
  float *a = fractions(n), *b = fractions(n), *o = cleared<float>(n);
  float *taps = fractions(1024);
  int *cells = numbers(n, 2), *next = cleared<int>(n);
  dim3 block(32, 8), grid(w / 32, h / 8);
  sobelGuarded<<<grid, block>>>(a, o, w, h);
  constantTaps<<<grid, block>>>(a, o, w, h);
  dilateGuarded<<<grid, block>>>((unsigned char *)a, (unsigned char *)o, w, h);
  bilinear<<<grid, block>>>(a, o, w / 2, h / 2, 0.5f);
  field3d<<<dim3(8, 16, 128), dim3(32, 8)>>>(a, o, 256, 128, 128);
  pooledPadded<<<dim3(w / 64, h / 16), block>>>(a, o, w, h);
  convolvePadded<<<dim3(8, 32), block>>>(a, taps, o, 64, 256, 256);
  upwind<<<grid, block>>>(a, b, a, o, w, h);
  lifeBordered<<<grid, block>>>(cells, next, w, h);
  return finished("guards");
}
