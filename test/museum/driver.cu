//===- driver.cu - Times one exhibit ----------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc -arch=sm_90 -DEXHIBIT='"NAME.cu"' [-DAFTER] driver.cu; prints the median
// of five rounds, in microseconds a launch, or why the launch fails.
//
//===----------------------------------------------------------------------===//

#include EXHIBIT
#include <algorithm>
#include <cstdio>
#include <cstdlib>

__global__ void fill(float *values, int n, unsigned seed) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    values[i] = 0.5f + ((i * 2654435761u + seed) >> 8) / 16777216.0f;
}

__global__ void fill(double *values, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    values[i] = 0.5 + (i * 2654435761u >> 8) / 16777216.0;
}

__global__ void fill(int *links, int *small, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    links[i] = (i * 2654435761u) & (n - 1);
    small[i] = (i * 2654435761u) >> 26;
  }
}

template <class T> static T *array(size_t n) {
  T *start = nullptr;
  if (cudaMalloc(&start, n * sizeof(T)) || cudaMemset(start, 0, n * sizeof(T)))
    std::exit(2);
  return start;
}

int main() {
  // Strides of the exhibits reach past the last element by less than a tile.
  const size_t room = Count + (1 << 20);
  Arrays on = {array<float>(room), array<float>(room),
               array<float>(room), array<int>(room),
               array<int>(room),   array<double>(Count / 2 + (1 << 19)),
               array<int>(room)};
  fill<<<1024, 256>>>(on.A, room, 1u);
  fill<<<1024, 256>>>(on.B, room, 2u);
  fill<<<1024, 256>>>(on.C, room, 3u);
  fill<<<1024, 256>>>(on.D, Count / 2 + (1 << 19));
  fill<<<1024, 256>>>(on.Links, on.Small, Count);
  if (cudaDeviceSynchronize())
    return 2;

  launch(on);
  cudaError_t failed = cudaGetLastError();
  if (!failed)
    failed = cudaDeviceSynchronize();
  if (failed) {
    std::printf("%s\n", cudaGetErrorName(failed));
    return 0;
  }

  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  const int launches = 20;
  float rounds[5];
  for (int round = -1; round < 5; ++round) {
    cudaEventRecord(begin);
    for (int k = 0; k < launches; ++k)
      launch(on);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    if (round >= 0)
      cudaEventElapsedTime(&rounds[round], begin, end);
  }
  if (cudaGetLastError())
    return 2;
  std::sort(rounds, rounds + 5);
  std::printf("%.2f\n", rounds[2] * 1000 / launches);
  return 0;
}
