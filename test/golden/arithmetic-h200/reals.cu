//===- reals.cu - Floats, doubles and halves -------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../breadth-h200/common.h"

#include <cuda_fp16.h>

__global__ void mandelbrot(float *o, int w, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float cx = (i % w) * (1.0f / 4096) - 0.2f, cy = (i / w) * (1.0f / 4096);
  float x = 0, y = 0;
  for (int t = 0; t < turns; ++t) {
    float xx = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = fminf(fmaxf(xx, -4.0f), 4.0f);
  }
  o[i] = x + y;
}

__global__ void doublePolynomial(const double *a, double *o, int terms) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i], s = 0.5, t = 0.25;
  for (int k = 0; k < terms; ++k) {
    s = s * x + t;
    t = t * s + x;
  }
  o[i] = s;
}

__global__ void complexPowers(const double2 *a, double2 *o, int power) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double2 x = a[i], p = x;
  for (int k = 0; k < power; ++k) {
    double re = p.x * x.x - p.y * x.y;
    p.y = p.x * x.y + p.y * x.x;
    p.x = re;
  }
  o[i] = p;
}

__global__ void rotations(const float4 *q, const float4 *v, float4 *o,
                          int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 r = q[i], p = v[i];
  for (int t = 0; t < turns; ++t) {
    float tx = 2 * (r.y * p.z - r.z * p.y), ty = 2 * (r.z * p.x - r.x * p.z);
    float tz = 2 * (r.x * p.y - r.y * p.x);
    p.x += r.w * tx + r.y * tz - r.z * ty;
    p.y += r.w * ty + r.z * tx - r.x * tz;
    p.z += r.w * tz + r.x * ty - r.y * tx;
  }
  o[i] = p;
}

__global__ void smallInverse(const float *m, float *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[9];
  for (int k = 0; k < 9; ++k)
    a[k] = m[k * n + i] + (k % 4 == 0 ? 2.0f : 0.0f);
  float c0 = a[4] * a[8] - a[5] * a[7], c1 = a[5] * a[6] - a[3] * a[8];
  float c2 = a[3] * a[7] - a[4] * a[6];
  float s = __fdividef(1.0f, a[0] * c0 + a[1] * c1 + a[2] * c2);
  o[i] = c0 * s;
  o[n + i] = c1 * s;
  o[2 * n + i] = c2 * s;
  o[3 * n + i] = (a[2] * a[7] - a[1] * a[8]) * s;
  o[4 * n + i] = (a[0] * a[8] - a[2] * a[6]) * s;
  o[5 * n + i] = (a[1] * a[6] - a[0] * a[7]) * s;
}

__global__ void halfChains(const __half2 *a, const __half2 *b, __half2 *o,
                           int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __half2 x = a[i], y = b[i], s = x, t = y;
  for (int k = 0; k < turns; ++k) {
    s = __hfma2(s, x, y);
    t = __hfma2(t, y, x);
  }
  o[i] = __hadd2(s, t);
}

__global__ void fourierOfEight(const float2 *a, float2 *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v[8];
  for (int k = 0; k < 8; ++k)
    v[k] = a[k * n + i];
  for (int step = 4; step > 0; step /= 2)
    for (int k = 0; k < 8; ++k)
      if (!(k & step)) {
        float2 x = v[k], y = v[k | step];
        v[k] = make_float2(x.x + y.x, x.y + y.y);
        float2 d = make_float2(x.x - y.x, x.y - y.y);
        float c = k & 1 ? 0.70710678f : 0.92387953f;
        v[k | step] =
            make_float2(d.x * c + d.y * (1 - c), d.y * c - d.x * (1 - c));
      }
  for (int k = 0; k < 8; ++k)
    o[k * n + i] = v[k];
}

__global__ void orbit(const double *a, double *o, int steps) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = a[i], y = 1 - x, z = 0.5 * x;
  for (int t = 0; t < steps; ++t) {
    double dx = 10 * (y - x), dy = x * (28 - z) - y, dz = x * y - 2.6666 * z;
    x += 0.001 * dx;
    y += 0.001 * dy;
    z += 0.001 * dz;
  }
  o[i] = x + y + z;
}

__global__ void triangles(const float4 *ray, const float4 *corner, float *o,
                          int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 d = ray[i];
  float best = 1e30f;
  for (int k = 0; k < count; ++k) {
    float4 a = corner[3 * k], e = corner[3 * k + 1], f = corner[3 * k + 2];
    float px = d.y * f.z - d.z * f.y, py = d.z * f.x - d.x * f.z;
    float pz = d.x * f.y - d.y * f.x;
    float det = e.x * px + e.y * py + e.z * pz;
    float u = a.x * px + a.y * py + a.z * pz;
    float qx = a.y * e.z - a.z * e.y, qy = a.z * e.x - a.x * e.z;
    float qz = a.x * e.y - a.y * e.x;
    float v = d.x * qx + d.y * qy + d.z * qz;
    float t = __fdividef(f.x * qx + f.y * qy + f.z * qz, det);
    bool hits = (u >= 0) & (v >= 0) & (u + v <= det) & (t > 0) & (t < best);
    best = hits ? t : best;
  }
  o[i] = best;
}

__global__ void bandMatrix(const double *a, const double *x, double *o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int k = 0; k < 9; ++k)
    s += a[k * n + i] * x[(i + k) & (n - 1)];
  o[i] = s;
}

int main() {
  const int n = 1 << 20;
  float *a = fractions(16 * n), *b = fractions(n);
  float *o = cleared<float>(16 * n);
  std::vector<double> of(2 * n);
  for (double &x : of)
    x = (drawn() >> 8) * (1.0 / (1 << 24));
  double *d = uploaded(of), *od = cleared<double>(2 * n);
  mandelbrot<<<n / 256, 256>>>(o, 1024, 64);
  doublePolynomial<<<n / 256, 256>>>(d, od, 40);
  complexPowers<<<n / 256, 256>>>((double2 *)d, (double2 *)od, 24);
  rotations<<<n / 256, 256>>>((float4 *)a, (float4 *)(a + 4 * n), (float4 *)o,
                              16);
  smallInverse<<<n / 256, 256>>>(a, o, n);
  halfChains<<<n / 256, 256>>>((__half2 *)a, (__half2 *)b, (__half2 *)o, 64);
  fourierOfEight<<<n / 256, 256>>>((float2 *)a, (float2 *)o, n);
  orbit<<<n / 2 / 256, 256>>>(d, od, 60);
  triangles<<<n / 4 / 256, 256>>>((float4 *)a, (float4 *)b, o, 100);
  bandMatrix<<<n / 8 / 256, 256>>>(d, od, od + n, n / 8);
  return finished("reals");
}
