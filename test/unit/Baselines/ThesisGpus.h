//===- ThesisGpus.h - The five GPUs of Volkov 2016 --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TEST_UNIT_BASELINES_THESISGPUS_H
#define GPUOCC_TEST_UNIT_BASELINES_THESISGPUS_H

#include "baselines/AlphaMix.h"

namespace gpuocc {

/// Table 4.1, with Alpha to be set.
struct ThesisGpu {
  AlphaMix Mix;
  AlphaMix at(double Alpha) const {
    AlphaMix M = Mix;
    M.Alpha = Alpha;
    return M;
  }
};

// Alpha, memory latency and IPC, arithmetic latency and IPC, issue IPC.
constexpr ThesisGpu G80 = {{0, 444, 0.0268, 20, 0.25, 0.5}};
constexpr ThesisGpu Gt200 = {{0, 434, 0.0277, 24, 0.25, 0.5}};
constexpr ThesisGpu Fermi = {{0, 513, 0.0599, 18, 1, 1}};
constexpr ThesisGpu Kepler = {{0, 301, 0.1338, 9, 4, 4}};
constexpr ThesisGpu Maxwell = {{0, 368, 0.0814, 6, 4, 4}};

/// Stands for a mix of additions alone.
constexpr double AddsOnly = 1e9;

} // namespace gpuocc

#endif // GPUOCC_TEST_UNIT_BASELINES_THESISGPUS_H
