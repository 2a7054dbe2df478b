//===- compact.cu - one atomic a block for the places ----------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "timing-clean.h"

__global__ void slow(const int *a, int *kept, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && a[i] > 0)
    kept[atomicAdd(count, 1)] = a[i];
}
__global__ void fast(const int *a, int *kept, int *count, int n) {
  __shared__ int used, from;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0)
    used = 0;
  __syncthreads();
  int v = i < n ? a[i] : 0;
  unsigned all = __ballot_sync(~0u, v > 0);
  int lane = threadIdx.x & 31, at = 0;
  if (lane == 0)
    at = atomicAdd(&used, __popc(all));
  at = __shfl_sync(~0u, at, 0) + __popc(all & ((1u << lane) - 1));
  __syncthreads();
  if (threadIdx.x == 0)
    from = atomicAdd(count, used);
  __syncthreads();
  if (v > 0)
    kept[from + at] = v;
}
__global__ void draw(int *a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)i * 2654435761u;
  a[i] = (int)((x ^ x >> 15) * 2246822519u);
}
int main() {
  const int n = 1 << 24;
  int *a = zeros<int>(n), *kept = zeros<int>(n), *count = zeros<int>(64);
  draw<<<n / 256, 256>>>(a);
  int turn = 0;
  timeLaunches("compact,slow", beginClean,
               [&] { slow<<<n / 256, 256>>>(a, kept, count + turn++, n); });
  timeLaunches("compact,fast", beginClean,
               [&] { fast<<<n / 256, 256>>>(a, kept, count + turn++, n); });
}
