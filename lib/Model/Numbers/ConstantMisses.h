//===- ConstantMisses.h - Tables that a constant cache lacks ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_MODEL_NUMBERS_CONSTANTMISSES_H
#define GPUOCC_LIB_MODEL_NUMBERS_CONSTANTMISSES_H

#include "gpuocc/Kernel/ExecutionProfile.h"

namespace gpuocc {

class FlatDevice;

/// What a request waits for that the first constant cache of its SM lacks.
struct ConstantMisses {
  /// Mean over requests.
  double Lines = 0;
  /// Between one such line and the next.
  double CyclesPerLine = 0;

  double cycles() const { return Lines * CyclesPerLine; }
};

/// Of loads from constant memory whose words loaded indices choose; none for
/// others, and where the device does not say how large the cache is or how fast
/// lines come.
///
/// Once warm, the cache holds as much of the table as fits, and a draw finds
/// its line there as often. The lines come from the cache behind it, which
/// feeds the instruction cache as well, and as many bytes a cycle as lines of
/// code do.
ConstantMisses constantMisses(const MemoryAccess &A, const AccessProfile &P,
                              const FlatDevice &Device);

} // namespace gpuocc

#endif // GPUOCC_LIB_MODEL_NUMBERS_CONSTANTMISSES_H
