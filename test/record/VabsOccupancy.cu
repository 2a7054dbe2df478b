//===- VabsOccupancy.cu - Time of vabs over occupancy -----------*- CUDA
//-*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times vabs of docs/examples over the warps that an SM holds, for values that
// are all positive and all negative, as test/golden/vabs-h200.csv holds them
// (after Volkov 2016, section 3.10). Needs a GPU.
//
// Usage: nvcc -O3 -arch=sm_90 VabsOccupancy.cu -o vabs && ./vabs
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdio>
#include <vector>

static constexpr int SharedBytesPerSm = 228 * 1024, ReservedPerBlock = 1024;
static constexpr int MostPerBlock = 227 * 1024, Repeats = 9;

__global__ void vabs(float *values, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float value = values[i];
  if (value < 0.0f)
    values[i] = -value;
}

__global__ void fill(float *values, float value, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] = value;
}

/// Nanoseconds of vabs in blocks of \p threads with \p shared bytes each.
static float medianNs(float *values, float value, int n, int threads,
                      int shared) {
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  std::vector<float> ns;
  for (int i = 0; i < Repeats; ++i) {
    fill<<<(n + 255) / 256, 256>>>(values, value, n);
    cudaEventRecord(start);
    vabs<<<(n + threads - 1) / threads, threads, shared>>>(values, n);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms = 0;
    cudaEventElapsedTime(&ms, start, end);
    ns.push_back(ms * 1e6f);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  std::sort(ns.begin(), ns.end());
  return ns[Repeats / 2];
}

int main() {
  cudaFuncSetAttribute(vabs, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       MostPerBlock);
  std::printf("elements,block,warps_per_sm,data,ns\n");
  for (int n : {1 << 24, 1 << 28}) {
    float *values = nullptr;
    cudaMalloc(&values, sizeof(float) * n);
    for (int threads : {128, 256})
      for (int blocks = 1; blocks * threads <= 2048; ++blocks) {
        // What lets no further block fit.
        int shared = std::min(SharedBytesPerSm / blocks - ReservedPerBlock,
                              MostPerBlock) /
                     1024 * 1024;
        if (blocks * threads == 2048)
          shared = 0;
        int resident = 0;
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, vabs, threads,
                                                      shared);
        if (resident != blocks)
          continue;
        for (bool negative : {false, true})
          std::printf(
              "%d,%d,%d,%s,%.0f\n", n, threads, blocks * threads / 32,
              negative ? "negative" : "positive",
              medianNs(values, negative ? -1.0f : 1.0f, n, threads, shared));
      }
    cudaFree(values);
  }
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    std::fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
