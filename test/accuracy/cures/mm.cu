//===- mm.cu - tile --------------------------------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>
template <class T> T *zeros(size_t n) {
  T *d;
  cudaMalloc(&d, n * sizeof(T));
  cudaMemset(d, 0, n * sizeof(T));
  return d;
}
static float *flushed() {
  static float *p = zeros<float>(1 << 25);
  return p;
}
static cudaEvent_t b0, b1;
static std::vector<float> ts;
static void begin() {
  if (!b0) {
    cudaEventCreate(&b0);
    cudaEventCreate(&b1);
  }
  cudaMemset(flushed(), 1, 1 << 27);
  cudaEventRecord(b0);
}
static void end() {
  cudaEventRecord(b1);
  cudaEventSynchronize(b1);
  float ms = 0;
  cudaEventElapsedTime(&ms, b0, b1);
  ts.push_back(ms * 1000);
}
static void say(const char *n) {
  std::sort(ts.begin(), ts.end());
  printf("%s,%.2f,%.2f,%s\n", n, ts[ts.size() / 2], ts[0],
         cudaGetErrorString(cudaGetLastError()));
  ts.clear();
}
__global__ void slow(const float *a, const float *c, float *b, int w) {
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int k = 0; k < w; k++)
    s += a[y * w + k] * c[k * w + x];
  b[y * w + x] = s;
}
__global__ void fast(const float *a, const float *c, float *b, int w) {
  __shared__ float p[16][16], q[16][16];
  int x = blockIdx.x * blockDim.x + threadIdx.x,
      y = blockIdx.y * blockDim.y + threadIdx.y;
  float s = 0;
  for (int t = 0; t < w; t += 16) {
    p[threadIdx.y][threadIdx.x] = a[y * w + t + threadIdx.x];
    q[threadIdx.y][threadIdx.x] = c[(t + threadIdx.y) * w + x];
    __syncthreads();
    for (int k = 0; k < 16; k++)
      s += p[threadIdx.y][k] * q[k][threadIdx.x];
    __syncthreads();
  }
  b[y * w + x] = s;
}
int main() {
  const int w = 1024;
  float *a = zeros<float>(w * w), *c = zeros<float>(w * w),
        *b = zeros<float>(w * w);
  for (int r = 0; r < 9; r++) {
    begin();
    slow<<<dim3(w / 16, w / 16), dim3(16, 16)>>>(a, c, b, w);
    end();
  }
  say("mm,slow");
  for (int r = 0; r < 9; r++) {
    begin();
    fast<<<dim3(w / 16, w / 16), dim3(16, 16)>>>(a, c, b, w);
    end();
  }
  say("mm,fast");
}
