//===- chunk.cu - interleave -----------------------------------*- CUDA -*-===//
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
__global__ void slow(const float *a, float *b, int n) {
  int f = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int k = 0; k < 16; k++)
    b[f + k] = a[f + k] * 2.0f;
}
__global__ void fast(const float *a, float *b, int n) {
  int f = blockIdx.x * blockDim.x * 16 + threadIdx.x;
  for (int k = 0; k < 16; k++)
    b[f + k * 256] = a[f + k * 256] * 2.0f;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  for (int r = 0; r < 9; r++) {
    begin();
    slow<<<n / 4096, 256>>>(a, b, n);
    end();
  }
  say("chunk,slow");
  for (int r = 0; r < 9; r++) {
    begin();
    fast<<<n / 4096, 256>>>(a, b, n);
    end();
  }
  say("chunk,fast");
}
