//===- learning.cu - Layers of networks ------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common.h"

#include <cuda_fp16.h>

__global__ void softmaxRows(const float *in, float *out, int columns) {
  const float *row = in + (size_t)blockIdx.x * columns;
  __shared__ float part[32];
  float most = -1e30f;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    most = fmaxf(most, row[c]);
  for (int o = 16; o; o /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = most;
  __syncthreads();
  most = part[0];
  for (int w = 1; w < blockDim.x / 32; ++w)
    most = fmaxf(most, part[w]);
  __syncthreads();
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    sum += expf(row[c] - most);
  for (int o = 16; o; o /= 2)
    sum += __shfl_xor_sync(~0u, sum, o);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = part[0];
  for (int w = 1; w < blockDim.x / 32; ++w)
    sum += part[w];
  for (int c = threadIdx.x; c < columns; c += blockDim.x)
    out[(size_t)blockIdx.x * columns + c] = expf(row[c] - most) / sum;
}

__global__ void crossEntropy(const float *logits, const int *label, float *loss,
                             int classes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float most = -1e30f, sum = 0;
  for (int c = 0; c < classes; ++c)
    most = fmaxf(most, logits[i * classes + c]);
  for (int c = 0; c < classes; ++c)
    sum += __expf(logits[i * classes + c] - most);
  atomicAdd(loss, __logf(sum) + most - logits[i * classes + label[i]]);
}

__global__ void embed(const int *token, const float4 *table, float4 *out,
                      int width) {
  for (int c = threadIdx.x; c < width; c += blockDim.x)
    out[(size_t)blockIdx.x * width + c] =
        table[(size_t)token[blockIdx.x] * width + c];
}

__global__ void maxPool(const float *in, float *out, int channels, int h,
                        int w) {
  int ow = w / 2, oh = h / 2;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= channels * oh * ow)
    return;
  int x = i % ow, y = i / ow % oh, c = i / (ow * oh);
  float most = -1e30f;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int sy = 2 * y + dy, sx = 2 * x + dx;
      if (sy >= 0 && sx >= 0 && sy < h && sx < w)
        most = fmaxf(most, in[(c * h + sy) * w + sx]);
    }
  out[i] = most;
}

__global__ void depthwise(const float *in, const float *filter, float *out,
                          int channels, int h, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.z;
  if (x >= w || y >= h)
    return;
  float s = 0;
  for (int ky = 0; ky < 5; ++ky)
    for (int kx = 0; kx < 5; ++kx) {
      int sy = y + ky - 2, sx = x + kx - 2;
      if (sy >= 0 && sx >= 0 && sy < h && sx < w)
        s += in[(c * h + sy) * w + sx] * filter[c * 25 + ky * 5 + kx];
    }
  out[(c * h + y) * w + x] = fmaxf(s, 0.0f);
}

__global__ void adam(float *w, const float *g, float *m, float *v, float rate,
                     float b1, float b2, int t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float mi = m[i] = b1 * m[i] + (1 - b1) * g[i];
  float vi = v[i] = b2 * v[i] + (1 - b2) * g[i] * g[i];
  w[i] -=
      rate * (mi / (1 - powf(b1, t))) / (sqrtf(vi / (1 - powf(b2, t))) + 1e-8f);
}

__global__ void byteGemv(const int *m, const int *x, int *y, int words) {
  int row = blockIdx.x * 4 + threadIdx.y;
  int s = 0;
  for (int k = threadIdx.x; k < words; k += 32)
    s = __dp4a(m[row * words + k], x[k], s);
  s = __reduce_add_sync(~0u, s);
  if (threadIdx.x == 0)
    y[row] = s;
}

__global__ void quantizeBlocks(const float *in, signed char *out,
                               float *scale) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i], most = fabsf(v);
  for (int o = 16; o; o /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, o));
  float by = most / 127;
  out[i] = by == 0 ? 0 : (signed char)rintf(v / by);
  if ((threadIdx.x & 31) == 0)
    scale[i / 32] = by;
}

__global__ void rotary(__half2 *q, int heads, int pairs, float base) {
  int position = blockIdx.x;
  for (int k = threadIdx.x; k < heads * pairs; k += blockDim.x) {
    int p = k % pairs;
    float angle = position * powf(base, -p / (float)pairs), s, c;
    sincosf(angle, &s, &c);
    __half2 *at = q + (size_t)position * heads * pairs + k;
    float2 v = __half22float2(*at);
    *at = __floats2half2_rn(v.x * c - v.y * s, v.x * s + v.y * c);
  }
}

__global__ void attendOneQuery(const float *q, const float *k, const float *v,
                               float *out, int keys) {
  __shared__ float score[1024];
  __shared__ float part[64];
  int head = blockIdx.x, t = threadIdx.x;
  for (int j = t; j < keys; j += 64) {
    float s = 0;
    for (int d = 0; d < 64; ++d)
      s += q[head * 64 + d] * k[((size_t)head * keys + j) * 64 + d];
    score[j] = s * 0.125f;
  }
  __syncthreads();
  float sum = 0;
  for (int j = t; j < keys; j += 64)
    sum += score[j] = __expf(score[j]);
  part[t] = sum;
  __syncthreads();
  for (int s = 32; s; s /= 2) {
    if (t < s)
      part[t] += part[t + s];
    __syncthreads();
  }
  float o = 0;
  for (int j = 0; j < keys; ++j)
    o += score[j] * v[((size_t)head * keys + j) * 64 + t];
  out[head * 64 + t] = o / part[0];
}

__global__ void welford(const float *in, float *mean, float *m2, int channels,
                        int rows) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  float m = 0, s = 0;
  for (int r = 0; r < rows; ++r) {
    float x = in[r * channels + c], d = x - m;
    m += d / (r + 1);
    s += d * (x - m);
  }
  mean[c] = m;
  m2[c] = s;
}

__global__ void gatedCell(const float *gates, float *cell, float *hidden,
                          int width, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * width)
    return;
  const float *g = gates + (i / width) * 4 * width + i % width;
  float in = 1 / (1 + __expf(-g[0])), forget = 1 / (1 + __expf(-g[width])),
        out = 1 / (1 + __expf(-g[3 * width]));
  float c = forget * cell[i] + in * tanhf(g[2 * width]);
  cell[i] = c;
  hidden[i] = out * tanhf(c);
}

int main() {
  const int n = 1 << 20;
  float *f = fractions(8 * n), *g = cleared<float>(8 * n);
  softmaxRows<<<2048, 256>>>(f, g, 2000);
  crossEntropy<<<n / 32 / 128, 128>>>(f, numbers(n / 32, 100), g, 100, n / 32);
  embed<<<4096, 128>>>(numbers(4096, 8000), (float4 *)f, (float4 *)g, 192);
  maxPool<<<2 * n / 256, 256>>>(f, g, 32, 512, 512);
  depthwise<<<dim3(4, 16, 64), dim3(32, 8)>>>(f, f + 7 * n, g, 64, 128, 128);
  adam<<<2 * n / 256, 256>>>(g, f, g + 2 * n, g + 4 * n, 1e-3f, 0.9f, 0.999f, 3,
                             2 * n);
  int *bytes = numbers(4 * n, ~0u);
  byteGemv<<<1024, dim3(32, 4)>>>(bytes, bytes, (int *)g, 1024);
  quantizeBlocks<<<4 * n / 256, 256>>>(f, (signed char *)g, f + 4 * n);
  rotary<<<1024, 256>>>((__half2 *)g, 32, 64, 10000.0f);
  attendOneQuery<<<96, 64>>>(f, f, f + 1000, g, 1000);
  welford<<<64, 64>>>(f, g, g + n, 4096, 500);
  gatedCell<<<n / 256, 256>>>(f, g, g + n, 512, 2048);
  return finished("learning");
}
