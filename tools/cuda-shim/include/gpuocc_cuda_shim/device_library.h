//===- device_library.h - Calls into the device's C library ----*- CUDA -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the driver provides to device code; declared only.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CUDA_SHIM_DEVICE_LIBRARY_H
#define GPUOCC_CUDA_SHIM_DEVICE_LIBRARY_H

#include <stddef.h>

extern "C" {
// The compiler turns printf into vprintf with the arguments in a buffer.
__attribute__((device)) int vprintf(const char *format, const char *arguments);
__attribute__((device)) int printf(const char *format, ...);
__attribute__((device)) void *malloc(size_t bytes);
__attribute__((device)) void free(void *pointer);
__attribute__((device, noreturn)) void
__assertfail(const char *condition, const char *file, unsigned int line,
             const char *function, size_t charSize);
}

#define GPUOCC_SHIM_DEVICE                                                     \
  static inline __attribute__((device, always_inline, nodebug))
GPUOCC_SHIM_DEVICE void *memcpy(void *to, const void *from, size_t bytes) {
  return __builtin_memcpy(to, from, bytes);
}
GPUOCC_SHIM_DEVICE void *memset(void *to, int value, size_t bytes) {
  return __builtin_memset(to, value, bytes);
}
#undef GPUOCC_SHIM_DEVICE

// What assert() of the C library calls.
extern "C" __attribute__((device, noreturn)) inline void
__assert_fail(const char *condition, const char *file, unsigned int line,
              const char *function) {
  __assertfail(condition, file, line, function, sizeof(char));
}

#endif // GPUOCC_CUDA_SHIM_DEVICE_LIBRARY_H
