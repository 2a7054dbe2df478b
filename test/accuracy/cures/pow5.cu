//===- pow5.cu - powf as product -------------------------------*- CUDA -*-===//
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
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  b[i] = powf(a[i], 5.0f) + 1.0f;
}
__global__ void fast(const float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float v = a[i], q = v * v;
  b[i] = q * q * v + 1.0f;
}
int main() {
  const int n = 1 << 24;
  float *a = zeros<float>(n), *b = zeros<float>(n);
  for (int r = 0; r < 9; r++) {
    begin();
    slow<<<n / 256, 256>>>(a, b, n);
    end();
  }
  say("pow5,slow");
  for (int r = 0; r < 9; r++) {
    begin();
    fast<<<n / 256, 256>>>(a, b, n);
    end();
  }
  say("pow5,fast");
}
