//===- omp.h - OpenMP without threads ---------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For host code that includes it where the compiler has none: programs that are
// run for their launches need no threads.
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LAUNCH_RECORDER_OMP_H
#define GPUOCC_LAUNCH_RECORDER_OMP_H

#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline int omp_get_max_threads(void) { return 1; }
static inline int omp_get_num_procs(void) { return 1; }
static inline int omp_get_num_threads(void) { return 1; }
static inline int omp_get_thread_num(void) { return 0; }
static inline int omp_in_parallel(void) { return 0; }
static inline void omp_set_dynamic(int On) { (void)On; }
static inline void omp_set_nested(int On) { (void)On; }
static inline void omp_set_num_threads(int Count) { (void)Count; }
static inline double omp_get_wtime(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

#ifdef __cplusplus
}
#endif

#endif // GPUOCC_LAUNCH_RECORDER_OMP_H
