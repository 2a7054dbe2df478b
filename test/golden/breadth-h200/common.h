//===- common.h - Memory for the launches of many kinds --------*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_BREADTH_COMMON_H
#define GPUOCC_TEST_BREADTH_COMMON_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

/// The next of a fixed sequence of numbers.
static uint32_t drawn() {
  static uint32_t state = 2463534242u;
  state ^= state << 13;
  state ^= state >> 17;
  return state ^= state << 5;
}

template <class T> T *cleared(size_t count) {
  T *p;
  cudaMalloc((void **)&p, count * sizeof(T));
  cudaMemset(p, 0, count * sizeof(T));
  return p;
}

template <class T> T *uploaded(const std::vector<T> &of) {
  T *p;
  cudaMalloc((void **)&p, of.size() * sizeof(T));
  cudaMemcpy(p, of.data(), of.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

/// COUNT integers below BELOW.
static int *numbers(size_t count, uint32_t below) {
  std::vector<int> of(count);
  for (int &x : of)
    x = drawn() % below;
  return uploaded(of);
}

/// COUNT floats from 0 to 1.
static float *fractions(size_t count) {
  std::vector<float> of(count);
  for (float &x : of)
    x = (drawn() >> 8) * (1.0f / (1 << 24));
  return uploaded(of);
}

/// Waits, and says what went wrong.
static int finished(const char *name) {
  cudaError_t error = cudaDeviceSynchronize();
  printf("%s: %s\n", name, cudaGetErrorString(error));
  return error != cudaSuccess;
}

#endif // GPUOCC_TEST_BREADTH_COMMON_H
