//===- types.cu - Elements of many sizes -----------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct __attribute__((packed)) Record {
  char kind;
  int value;
  short weight;
};

struct Particle {
  float x, y, z, vx, vy, vz, mass;
};

__global__ void byteThreshold(const unsigned char *in, unsigned char *out,
                              int n, int limit) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] > limit ? 255 : 0;
}

__global__ void shortBlend(const short *a, const short *b, short *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = (short)((a[i] * 3 + b[i] * 5) >> 3);
}

__global__ void halfLayerNorm(const __half *in, __half *out, int columns) {
  const __half *row = in + (size_t)blockIdx.x * columns;
  __shared__ float sums[2];
  if (threadIdx.x < 2)
    sums[threadIdx.x] = 0;
  __syncthreads();
  float s = 0, q = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x) {
    float v = __half2float(row[c]);
    s += v;
    q += v * v;
  }
  for (int o = 16; o; o >>= 1) {
    s += __shfl_xor_sync(~0u, s, o);
    q += __shfl_xor_sync(~0u, q, o);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&sums[0], s);
    atomicAdd(&sums[1], q);
  }
  __syncthreads();
  float mean = sums[0] / columns,
        scale = rsqrtf(sums[1] / columns - mean * mean + 1e-5f);
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    out[(size_t)blockIdx.x * columns + c] =
        __float2half((__half2float(row[c]) - mean) * scale);
}

__global__ void bfloatGelu(const __nv_bfloat162 *in, __nv_bfloat162 *out,
                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float2 v = __bfloat1622float2(in[i]);
  v.x = 0.5f * v.x *
        (1 + tanhf(0.79788456f * (v.x + 0.044715f * v.x * v.x * v.x)));
  v.y = 0.5f * v.y *
        (1 + tanhf(0.79788456f * (v.y + 0.044715f * v.y * v.y * v.y)));
  out[i] = __float22bfloat162_rn(v);
}

__global__ void halfPolynomial(const __half2 *in, __half2 *out, int n,
                               int degree) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half2 x = in[i], y = __float2half2_rn(0.25f);
  for (int k = 0; k < degree; ++k)
    y = __hfma2(y, x, __float2half2_rn(0.125f));
  out[i] = y;
}

__global__ void packedRecords(const Record *in, int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i].kind == 'a')
    sums[i] = in[i].value * in[i].weight;
}

__global__ void moveParticles(Particle *p, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Particle q = p[i];
  q.x += q.vx * dt;
  q.y += q.vy * dt;
  q.z += q.vz * dt;
  if (q.x * q.x + q.y * q.y + q.z * q.z > 1e4f)
    q.vx = -q.vx;
  p[i] = q;
}

__global__ void doubleAxpyRows(const double *a, const double *x, double *y,
                               int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  double s = 0;
  for (int c = 0; c < columns; ++c)
    s += a[(size_t)c * gridDim.x * blockDim.x + row] * x[c];
  y[row] = s;
}

__global__ void sumOfBytes(const uchar4 *in, unsigned *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = 0;
  for (; i < n; i += gridDim.x * blockDim.x) {
    uchar4 v = in[i];
    s += v.x + v.y + v.z + v.w;
  }
  s = __reduce_add_sync(~0u, s);
  if (threadIdx.x % 32 == 0)
    atomicAdd(out, s);
}

__global__ void complexMultiply(const double2 *a, const double2 *b, double2 *c,
                                int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = make_double2(a[i].x * b[i].x - a[i].y * b[i].y,
                        a[i].x * b[i].y + a[i].y * b[i].x);
}

int main() {
  const int n = 1 << 20;
  unsigned char *in = (unsigned char *)numbers(2 * n, ~0u),
                *out = cleared<unsigned char>(8 * n);
  byteThreshold<<<(4 * n - 3 + 255) / 256, 256>>>(in, out, 4 * n - 3, 100);
  shortBlend<<<n / 256, 256>>>((short *)in, (short *)in + n, (short *)out, n);
  __half *h = cleared<__half>(4 * n), *h2 = cleared<__half>(4 * n);
  halfLayerNorm<<<4 * n / 1280, 192>>>(h, h2, 1280);
  bfloatGelu<<<n / 256, 256>>>((__nv_bfloat162 *)h, (__nv_bfloat162 *)h2, n);
  halfPolynomial<<<n / 256, 256>>>((__half2 *)h, (__half2 *)h2, n, 40);
  std::vector<Record> records(n / 2);
  for (Record &r : records)
    r = {(char)('a' + drawn() % 4), (int)(drawn() % 100), 3};
  packedRecords<<<n / 2 / 256, 256>>>(uploaded(records), cleared<int>(n / 2),
                                      n / 2);
  Particle *p = (Particle *)fractions(7 * n / 2);
  moveParticles<<<n / 2 / 128, 128>>>(p, n / 2, 0.01f);
  double *a = cleared<double>(4 * n), *y = cleared<double>(n);
  doubleAxpyRows<<<n / 16 / 128, 128>>>(a, a + n, y, 48);
  unsigned *sum = cleared<unsigned>(1);
  sumOfBytes<<<264, 256>>>((uchar4 *)in, sum, 2 * n);
  complexMultiply<<<n / 256, 256>>>((double2 *)a, (double2 *)a + n,
                                    cleared<double2>(n), n);
  return finished("types");
}
