//===- streams.cu - Five streams over occupancy ----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One element of 8 bytes a thread, two blocks per SM at a time (the rest of
// shared memory is asked for and not used), blocks of 32 to 1024 threads: a
// kernel of short blocks whose time is the latency of memory and the
// replacement of blocks. Prints kernel,block,blocks_per_sm,ns as CSV.
//
//===----------------------------------------------------------------------===//

#include "../../../docs/examples/example.h"
#include <algorithm>

__global__ void init(double *a, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = 0.5;
}

__global__ void read(double *a, const double *b, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  double x = b[i];
  if (x == 123.0)
    a[i] = x;
}

__global__ void scale(double *a, const double *b, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] * 1.5;
}

__global__ void triad(double *a, const double *b, const double *c, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] * 1.2 + c[i];
}

__global__ void vectorTriad(double *a, const double *b, const double *c,
                            const double *d, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] * c[i] + d[i];
}

/// Median time of five launches, as a loop that launches sees it.
class Clock {
public:
  Clock() {
    check(cudaEventCreate(&Start), "cudaEventCreate");
    check(cudaEventCreate(&Stop), "cudaEventCreate");
  }
  bool next(const char *kernel, int block, int blocksPerSm) {
    if (Running) {
      check(cudaEventRecord(Stop), "cudaEventRecord");
      finish(kernel);
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, Start, Stop), "elapsed time");
      Times.push_back(milliseconds * 1e6f);
    }
    Running = Times.size() < 5;
    if (!Running) {
      std::sort(Times.begin(), Times.end());
      std::printf("%s,%d,%d,%.0f\n", kernel, block, blocksPerSm, Times[2]);
      Times.clear();
      return false;
    }
    check(cudaEventRecord(Start), "cudaEventRecord");
    return true;
  }

private:
  cudaEvent_t Start, Stop;
  bool Running = false;
  std::vector<float> Times;
};

template <class Kernel> void allowShared(Kernel *kernel, int bytes) {
  check(cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel),
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             bytes),
        "cudaFuncSetAttribute");
}

int main(int argc, char **argv) {
  unsigned n = 1u << argumentOr(argc, argv, 1, 26);
  DeviceArray<double> a(n), b(n), c(n), d(n);
  for (double *each : {(double *)a, (double *)b, (double *)c, (double *)d})
    check(cudaMemset(each, 0, n * 8ul), "cudaMemset");
  Clock clock;
  for (int blocksPerSm : {1, 2, 4, 8, 16})
    for (int block : {32, 64, 128, 192, 256, 384, 512, 768, 1024}) {
      if (block * blocksPerSm > 2048)
        continue;
      // What one more block than wanted would need.
      int shared = 228 * 1024 / blocksPerSm - 1024 - 256;
      if (shared > 227 * 1024 - 256)
        shared = 227 * 1024 - 256;
      allowShared(init, shared);
      allowShared(read, shared);
      allowShared(scale, shared);
      allowShared(triad, shared);
      allowShared(vectorTriad, shared);
      unsigned grid = (n + block - 1) / block;
      while (clock.next("init", block, blocksPerSm))
        init<<<grid, block, shared>>>(a, n);
      while (clock.next("read", block, blocksPerSm))
        read<<<grid, block, shared>>>(a, b, n);
      while (clock.next("scale", block, blocksPerSm))
        scale<<<grid, block, shared>>>(a, b, n);
      while (clock.next("triad", block, blocksPerSm))
        triad<<<grid, block, shared>>>(a, b, c, n);
      while (clock.next("vectorTriad", block, blocksPerSm))
        vectorTriad<<<grid, block, shared>>>(a, b, c, d, n);
    }
  return 0;
}
