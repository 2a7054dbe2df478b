//===- pair.h - Times the two kernels of a pair ----------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each pair is a program: a kernel with one finding, the same with the finding
// mended, and the time of both as CSV (pair,kernel,median_ns,min_ns,max_ns).
// L2 is cold for every launch.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_PAIR_H
#define GPUOCC_PAIR_H

#include "../../../docs/examples/example.h"
#include <algorithm>
#include <cmath>
#include <string>

/// Reads what leaves no room in L2 for anything else, and nothing in it that
/// would have to be written back while the next kernel is timed.
static __global__ void fillL2(const int4 *data, int *never) {
  int4 x = data[std::size_t(blockIdx.x) * blockDim.x + threadIdx.x];
  if ((x.x ^ x.y ^ x.z ^ x.w) == 0x12345678)
    *never = 1;
}

/// Runs the body of a loop once per timed launch:
///   while (pair.next("naive")) naive<<<grid, block>>>(...);
class Pair {
public:
  explicit Pair(const char *name) : Name(name), Flushed(FlushedBytes / 16) {
    check(cudaMemset(Flushed, 0, FlushedBytes), "cudaMemset");
    check(cudaEventCreate(&Start), "cudaEventCreate");
    check(cudaEventCreate(&Stop), "cudaEventCreate");
  }

  bool next(const char *kernel) {
    if (Running)
      take(kernel);
    if (Times.size() == WarmUp + Launches) {
      print(kernel);
      Times.clear();
      Running = false;
      return false;
    }
    fillL2<<<FlushedBytes / 16 / 256, 256>>>(Flushed, (int *)(int4 *)Flushed);
    check(cudaEventRecord(Start), "cudaEventRecord");
    Running = true;
    return true;
  }

private:
  static constexpr std::size_t WarmUp = 3, Launches = 15;
  static constexpr std::size_t FlushedBytes = 128 << 20;

  void take(const char *kernel) {
    check(cudaEventRecord(Stop), "cudaEventRecord");
    finish(kernel);
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, Start, Stop), "elapsed time");
    Times.push_back(milliseconds * 1e6f);
  }

  void print(const char *kernel) {
    std::vector<float> timed(Times.begin() + WarmUp, Times.end());
    std::sort(timed.begin(), timed.end());
    std::printf("%s,%s,%.0f,%.0f,%.0f\n", Name, kernel, timed[timed.size() / 2],
                timed.front(), timed.back());
  }

  const char *Name;
  DeviceArray<int4> Flushed;
  cudaEvent_t Start, Stop;
  bool Running = false;
  std::vector<float> Times;
};

/// 0 when the results agree within rounding, for main() to return.
template <class T>
int compare(const std::vector<T> &naive, const std::vector<T> &fixed) {
  for (std::size_t i = 0; i < naive.size(); ++i) {
    double a = double(naive[i]), b = double(fixed[i]);
    if (std::fabs(a - b) > 1e-3 * std::max(1.0, std::fabs(a))) {
      std::fprintf(stderr, "results differ at %zu: %g and %g\n", i, a, b);
      return 1;
    }
  }
  return 0;
}

/// Values between 0 and 1 in no order.
inline std::vector<float> noise(std::size_t size) {
  std::vector<float> values(size);
  unsigned state = 1;
  for (float &v : values) {
    state = state * 1664525u + 1013904223u;
    v = float(state >> 8) * (1.0f / (1 << 24));
  }
  return values;
}

#endif // GPUOCC_PAIR_H
