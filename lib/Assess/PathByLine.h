//===- PathByLine.h - The longest path by source line ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_PATHBYLINE_H
#define GPUOCC_LIB_ASSESS_PATHBYLINE_H

#include "gpuocc/Report/Report.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuocc {

/// The steps of a path that one source line is responsible for.
struct PathLine {
  SourcePlace Place;
  /// Location of the most costly step, an index in KernelFacts::Locations.
  uint32_t Location = NoIndex;
  double Cycles = 0;
  /// Reason of the most costly step.
  std::string Why;
  /// Of that step.
  uint32_t Op = NoIndex;
  double CyclesOfStep = 0;
};

/// The steps of \p L in \p Facts for which \p Wanted holds, gathered by line,
/// most cycles first.
std::vector<PathLine>
pathByLine(const KernelFacts &Facts, const LatencyBound &L,
           llvm::function_ref<bool(const LatencyStep &)> Wanted);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_PATHBYLINE_H
