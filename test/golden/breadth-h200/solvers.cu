//===- solvers.cu - Solvers and transforms ---------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

// A tridiagonal system in each thread.
__global__ void thomas(const float *a, const float *b, const float *c, float *d,
                       float *work, int n, int systems) {
  int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s >= systems)
    return;
  float cp = c[s] / (b[s] + 3), dp = d[s] / (b[s] + 3);
  work[s] = cp;
  d[s] = dp;
  for (int k = 1; k < n; ++k) {
    int at = k * systems + s;
    float m = 1 / (b[at] + 3 - a[at] * cp);
    cp = c[at] * m;
    dp = (d[at] - a[at] * dp) * m;
    work[at] = cp;
    d[at] = dp;
  }
  for (int k = n - 2; k >= 0; --k) {
    int at = k * systems + s;
    dp = d[at] - work[at] * dp;
    d[at] = dp;
  }
}

__global__ void cholesky32(float *m) {
  __shared__ float a[32][33];
  int t = threadIdx.x;
  float *own = m + blockIdx.x * 1024;
  for (int r = 0; r < 32; ++r)
    a[r][t] = own[r * 32 + t] + (r == t ? 32 : 0);
  __syncwarp();
  for (int k = 0; k < 32; ++k) {
    float pivot = sqrtf(a[k][k]);
    __syncwarp();
    if (t >= k)
      a[t][k] = t == k ? pivot : a[t][k] / pivot;
    __syncwarp();
    if (t > k)
      for (int j = k + 1; j <= t; ++j)
        a[t][j] -= a[t][k] * a[j][k];
    __syncwarp();
  }
  for (int r = 0; r < 32; ++r)
    own[r * 32 + t] = t <= r ? a[r][t] : 0;
}

__global__ void fft512(float2 *data) {
  __shared__ float2 line[512];
  int t = threadIdx.x;
  float2 *own = data + blockIdx.x * 512;
  for (int k = t; k < 512; k += 256)
    line[__brev(k) >> 23] = own[k];
  __syncthreads();
  for (int half = 1; half < 512; half *= 2) {
    int k = t & (half - 1), at = 2 * (t - k) + k;
    float s, c;
    sincosf(-3.14159265f * k / half, &s, &c);
    float2 u = line[at], v = line[at + half];
    float2 w = {v.x * c - v.y * s, v.x * s + v.y * c};
    line[at] = {u.x + w.x, u.y + w.y};
    line[at + half] = {u.x - w.x, u.y - w.y};
    __syncthreads();
  }
  for (int k = t; k < 512; k += 256)
    own[k] = line[k];
}

__global__ void hadamardWarp(float *data, int rows) {
  int lane = threadIdx.x & 31;
  for (int row = (blockIdx.x * blockDim.x + threadIdx.x) >> 5; row < rows;
       row += gridDim.x * blockDim.x >> 5) {
    float v = data[row * 32 + lane];
    for (int m = 1; m < 32; m <<= 1) {
      float o = __shfl_xor_sync(~0u, v, m);
      v = lane & m ? o - v : v + o;
    }
    data[row * 32 + lane] = v * 0.17677669f;
  }
}

__global__ void laplace(const double *p, double *q, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  int at = y * n + x;
  double v = 4.01 * p[at];
  if (x > 0)
    v -= p[at - 1];
  if (x < n - 1)
    v -= p[at + 1];
  if (y > 0)
    v -= p[at - n];
  if (y < n - 1)
    v -= p[at + n];
  q[at] = v;
}

__global__ void dotProduct(const double *a, const double *b, double *out,
                           int n) {
  __shared__ double part[256];
  double s = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
    s += a[i] * b[i];
  part[threadIdx.x] = s;
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (threadIdx.x < k)
      part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(out, part[0]);
}

__global__ void step(double *x, double *r, const double *p, const double *q,
                     double alpha, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    x[i] += alpha * p[i];
    r[i] -= alpha * q[i];
  }
}

__global__ void direction(double *p, const double *r, double beta, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = r[i] + beta * p[i];
}

__global__ void floydStep(int *d, int n, int k) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y;
  int through = d[i * n + k] + d[k * n + j];
  if (through < d[i * n + j])
    d[i * n + j] = through;
}

__global__ void batched4(const float4 *a, const float4 *b, float4 *c,
                         int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  float4 r0 = b[4 * i], r1 = b[4 * i + 1], r2 = b[4 * i + 2], r3 = b[4 * i + 3];
  for (int r = 0; r < 4; ++r) {
    float4 v = a[4 * i + r];
    c[4 * i + r] = {v.x * r0.x + v.y * r1.x + v.z * r2.x + v.w * r3.x,
                    v.x * r0.y + v.y * r1.y + v.z * r2.y + v.w * r3.y,
                    v.x * r0.z + v.y * r1.z + v.z * r2.z + v.w * r3.z,
                    v.x * r0.w + v.y * r1.w + v.z * r2.w + v.w * r3.w};
  }
}

__global__ void columnsTimesVector(const float *m, const float *x, float *y,
                                   int rows, int columns) {
  int r = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32,
      lane = threadIdx.x % 32;
  float s = 0;
  for (int c = lane; c < columns; c += 32)
    s += m[r * columns + c] * x[c];
  for (int o = 16; o; o /= 2)
    s += __shfl_down_sync(~0u, s, o);
  if (lane == 0)
    y[r] = s;
}

int main() {
  const int n = 1 << 20;
  float *f = fractions(8 * n), *g = cleared<float>(4 * n);
  thomas<<<16384 / 64, 64>>>(f, f + n, f + 2 * n, f + 3 * n, g, 64, 16384);
  cholesky32<<<2048, 32>>>(f);
  fft512<<<2048, 256>>>((float2 *)f);
  hadamardWarp<<<264, 256>>>(f, n / 8);
  std::vector<double> ones(512 * 512, 1.0);
  double *x = cleared<double>(512 * 512), *r = uploaded(ones),
         *p = uploaded(ones), *q = cleared<double>(512 * 512);
  double *sum = cleared<double>(1), rr = 512 * 512, pq;
  for (int k = 0; k < 3 && rr > 1e-6; ++k) {
    laplace<<<dim3(16, 64), dim3(32, 8)>>>(p, q, 512);
    cudaMemset(sum, 0, 8);
    dotProduct<<<64, 256>>>(p, q, sum, 512 * 512);
    cudaMemcpy(&pq, sum, 8, cudaMemcpyDeviceToHost);
    step<<<512 * 512 / 256, 256>>>(x, r, p, q, rr / pq, 512 * 512);
    cudaMemset(sum, 0, 8);
    dotProduct<<<64, 256>>>(r, r, sum, 512 * 512);
    double before = rr;
    cudaMemcpy(&rr, sum, 8, cudaMemcpyDeviceToHost);
    direction<<<512 * 512 / 256, 256>>>(p, r, rr / before, 512 * 512);
  }
  int *d = numbers(1024 * 1024, 10000);
  for (int k = 0; k < 3; ++k)
    floydStep<<<dim3(4, 1024), 256>>>(d, 1024, k);
  batched4<<<(n / 8 + 127) / 128, 128>>>((float4 *)f, (float4 *)f + n / 2,
                                         (float4 *)g, n / 8);
  columnsTimesVector<<<256, 256>>>(f, f, g, 2048, 2048);
  return finished("solvers");
}
