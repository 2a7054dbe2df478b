//===- example.h - What the host part of every example needs ---*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of runtime calls, an array on the device, arguments of main().
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_EXAMPLE_H
#define GPUOCC_EXAMPLE_H

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Ends the program with a message when a call of the CUDA runtime failed.
inline void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "error: %s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

/// Waits for the launches so far and reports what went wrong in them.
inline void finish(const char *kernel) {
  check(cudaGetLastError(), kernel);
  check(cudaDeviceSynchronize(), kernel);
}

/// Elements in device memory, freed with the object.
template <class T> class DeviceArray {
public:
  explicit DeviceArray(std::size_t size) : Size(size) {
    check(cudaMalloc(&Data, size * sizeof(T)), "cudaMalloc");
  }
  explicit DeviceArray(const std::vector<T> &values)
      : DeviceArray(values.size()) {
    check(cudaMemcpy(Data, values.data(), Size * sizeof(T),
                     cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(Data); }

  operator T *() { return Data; }
  std::vector<T> toHost() const {
    std::vector<T> values(Size);
    check(cudaMemcpy(values.data(), Data, Size * sizeof(T),
                     cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    return values;
  }

private:
  T *Data = nullptr;
  std::size_t Size;
};

/// The argument at \p position of the command line, or \p otherwise.
inline int argumentOr(int argc, char **argv, int position, int otherwise) {
  return argc > position ? std::atoi(argv[position]) : otherwise;
}

/// Prints the outcome of one kernel's check and passes it on.
inline bool verdict(const char *kernel, bool right) {
  std::printf("%s: %s\n", kernel, right ? "right" : "WRONG");
  return right;
}

#endif // GPUOCC_EXAMPLE_H
