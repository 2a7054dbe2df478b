//===- Code.h - The instruction cache from times of loops ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_PLANS_CODE_H
#define GPUOCC_CALIBRATION_PLANS_CODE_H

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <utility>

namespace gpuocc::calibration {

/// What loops of ever more code say of the instruction cache of an SM.
struct InstructionCache {
  double Bytes = 0; ///< instruction_l1_bytes
  double Ways = 0;  ///< instruction_l1_ways
  /// Cycles of an instruction where each pass of the loop misses every line.
  double CyclesBeyond = 0;
};

/// From bytes of a loop and cycles of an instruction, by ascending bytes:
/// nothing where no three loops in a row are slower than the first one and
/// alike.
///
/// In a cache of W ways that drops what was used least recently, a loop misses
/// every line from (1 + 1/W) times the cache on. Loops that the next level does
/// not hold either are slower again and say nothing of this one.
std::optional<InstructionCache>
instructionCache(llvm::ArrayRef<std::pair<double, double>> CyclesByBytes);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_PLANS_CODE_H
