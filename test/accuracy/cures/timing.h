//===- timing.h - How the cures are timed ----------------------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_ACCURACY_CURES_TIMING_H
#define GPUOCC_TEST_ACCURACY_CURES_TIMING_H

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <type_traits>
#include <vector>

/// An array of \p n zeros on the device.
template <class T> T *zeros(size_t n) {
  T *d;
  cudaMalloc(&d, n * sizeof(T));
  cudaMemset(d, 0, n * sizeof(T));
  return d;
}

/// More than L2 holds.
/// Words with numbers in [0.5, 1): of 2 bytes for halves, of 8 for doubles, of
/// 4 for floats and structures of them. Zeros would go other ways: divisions of
/// them take the slow path, sums of them never meet another's.
template <class T> T *numbers(size_t n) {
  constexpr size_t Words = 1 << 18;
  static std::vector<uint32_t> drawn;
  for (uint32_t x = 1; drawn.size() < Words;) {
    x = x * 1664525u + 1013904223u;
    if (sizeof(T) == 2)
      drawn.push_back(0x38003800u | (x >> 6 & 0x03ff03ffu));
    else if (std::is_same<T, double>::value && drawn.size() % 2)
      drawn.push_back(0x3fe00000u | x >> 12);
    else
      drawn.push_back(0x3f000000u | x >> 9);
  }
  T *d;
  cudaMalloc(&d, n * sizeof(T));
  for (size_t at = 0; at < n * sizeof(T); at += Words * 4)
    cudaMemcpy((char *)d + at, drawn.data(),
               std::min(Words * 4, n * sizeof(T) - at), cudaMemcpyHostToDevice);
  return d;
}

static float *flushed() {
  static float *p = zeros<float>(1 << 25);
  return p;
}

static cudaEvent_t b0, b1;
static std::vector<float> ts;

/// Begins to time a launch, behind a memset of more than L2 holds.
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

/// Prints \p n, the median and the least time of the launches in us, and the
/// error of the last one.
static void say(const char *n) {
  std::sort(ts.begin(), ts.end());
  printf("%s,%.2f,%.2f,%s\n", n, ts[ts.size() / 2], ts[0],
         cudaGetErrorString(cudaGetLastError()));
  ts.clear();
}

/// Times nine of what \p launch starts, each behind \p prepare, and prints them
/// as \p n.
template <class F>
static void timeLaunches(const char *n, void (*prepare)(), F launch) {
  for (int r = 0; r < 9; r++) {
    prepare();
    launch();
    end();
  }
  say(n);
}

#endif // GPUOCC_TEST_ACCURACY_CURES_TIMING_H
