//===- images.cu - Pictures and fields -------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

__global__ void clampedBlur(const unsigned char *in, unsigned char *out, int w,
                            int h, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  int s = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      int sx = min(max(x + dx, 0), w - 1), sy = min(max(y + dy, 0), h - 1);
      s += in[sy * w + sx];
    }
  out[y * w + x] = s / ((2 * radius + 1) * (2 * radius + 1));
}

__global__ void bilinear(const float *in, float *out, int w, int h, int ow,
                         int oh) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= ow || y >= oh)
    return;
  float fx = (x + 0.5f) * w / ow - 0.5f, fy = (y + 0.5f) * h / oh - 0.5f;
  int x0 = max((int)floorf(fx), 0), y0 = max((int)floorf(fy), 0);
  int x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
  float ax = fx - x0, ay = fy - y0;
  float top = in[y0 * w + x0] * (1 - ax) + in[y0 * w + x1] * ax;
  float bottom = in[y1 * w + x0] * (1 - ax) + in[y1 * w + x1] * ax;
  out[y * ow + x] = top * (1 - ay) + bottom * ay;
}

__global__ void mandelbrot(unsigned char *out, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  float cr = x * 3.0f / w - 2, ci = y * 2.0f / h - 1, zr = 0, zi = 0;
  int k = 0;
  while (k < most && zr * zr + zi * zi < 4) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++k;
  }
  out[y * w + x] = k;
}

__device__ float distanceTo(float x, float y, float z) {
  float a = sqrtf(x * x + y * y + z * z) - 1;
  float b = fmaxf(fmaxf(fabsf(x - 1.2f), fabsf(y)), fabsf(z)) - 0.6f;
  return fminf(a, b);
}

__global__ void marchRays(float *depth, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  float dx = (x - w / 2) / (float)w, dy = (y - h / 2) / (float)w, dz = 1;
  float inv = rsqrtf(dx * dx + dy * dy + dz * dz), t = 0;
  dx *= inv;
  dy *= inv;
  dz *= inv;
  for (int k = 0; k < 128; ++k) {
    float d = distanceTo(t * dx, t * dy, t * dz - 4);
    if (d < 0.001f)
      break;
    t += d;
    if (t > 20)
      break;
  }
  depth[y * w + x] = t;
}

__global__ void lifeStep(const unsigned char *in, unsigned char *out, int w,
                         int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy)
        alive += in[(y + dy + h) % h * w + (x + dx + w) % w];
  out[y * w + x] = alive == 3 || (alive == 2 && in[y * w + x]);
}

__device__ void order(int &a, int &b) {
  int low = min(a, b);
  b = max(a, b);
  a = low;
}

__global__ void median9(const unsigned char *in, unsigned char *out, int w,
                        int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1)
    return;
  int v[9];
  for (int k = 0; k < 9; ++k)
    v[k] = in[(y + k / 3 - 1) * w + x + k % 3 - 1];
#pragma unroll
  for (int a = 0; a < 5; ++a)
#pragma unroll
    for (int b = 8; b > a; --b)
      order(v[b - 1], v[b]);
  out[y * w + x] = v[4];
}

__global__ void rowSums(const int *in, int *out, int w) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  int s = 0;
  for (int x = 0; x < w; ++x) {
    s += in[y * w + x];
    out[y * w + x] = s;
  }
}

__global__ void grayOfRgb(const uchar3 *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    uchar3 c = in[i];
    out[i] = (unsigned char)(0.299f * c.x + 0.587f * c.y + 0.114f * c.z);
  }
}

__global__ void bilateral(const float *in, float *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= w - 2 || y >= h - 2)
    return;
  float middle = in[y * w + x], s = 0, all = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      float v = in[(y + dy) * w + x + dx], d = v - middle;
      float weight = __expf(-0.1f * (dx * dx + dy * dy) - 8 * d * d);
      s += weight * v;
      all += weight;
    }
  out[y * w + x] = s / all;
}

__global__ void dilateFirst(const unsigned char *in, unsigned char *out, int w,
                            int h, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  bool found = false;
  for (int dy = -radius; dy <= radius && !found; ++dy)
    for (int dx = -radius; dx <= radius && !found; ++dx) {
      int sx = x + dx, sy = y + dy;
      if (sx >= 0 && sy >= 0 && sx < w && sy < h)
        found = in[sy * w + sx] == 1;
    }
  out[y * w + x] = found;
}

__global__ void diffuse3d(const float *in, float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
    return;
  int plane = nx * ny, at = y * nx + x + plane;
  float below = in[at - plane], here = in[at];
  for (int z = 1; z < nz - 1; ++z, at += plane) {
    float above = in[at + plane];
    out[at] = here + 0.1f * (below + above + in[at - 1] + in[at + 1] +
                             in[at - nx] + in[at + nx] - 6 * here);
    below = here;
    here = above;
  }
}

int main() {
  const int w = 1024, h = 1024, n = w * h;
  dim3 grid(w / 32, h / 8), block(32, 8);
  unsigned char *in = (unsigned char *)numbers(n, ~0u),
                *out = cleared<unsigned char>(4 * n);
  float *f = fractions(4 * n), *g = cleared<float>(4 * n);
  clampedBlur<<<grid, block>>>(in, out, w, h, 3);
  bilinear<<<dim3(50, 94), dim3(32, 16)>>>(f, g, w, h, 1600, 1500);
  mandelbrot<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(out, w, h, 200);
  marchRays<<<dim3(w / 16, h / 16), dim3(16, 16)>>>(g, w, h);
  std::vector<unsigned char> cells(n);
  for (unsigned char &c : cells)
    c = drawn() % 3 == 0;
  unsigned char *life = uploaded(cells);
  lifeStep<<<grid, block>>>(life, out, w, h);
  median9<<<grid, block>>>(in, out, w, h);
  rowSums<<<h / 64, 64>>>((int *)in, (int *)g, w);
  grayOfRgb<<<n / 256, 256>>>((uchar3 *)in, out, n);
  bilateral<<<grid, block>>>(f, g, w, h);
  for (unsigned char &c : cells)
    c = drawn() % 40 == 0;
  cudaMemcpy(life, cells.data(), n, cudaMemcpyHostToDevice);
  dilateFirst<<<grid, block>>>(life, out, w, h, 4);
  diffuse3d<<<dim3(256 / 32, 128 / 4), dim3(32, 4)>>>(f, g, 256, 128, 100);
  return finished("images");
}
