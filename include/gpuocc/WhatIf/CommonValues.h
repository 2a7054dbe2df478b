//===- CommonValues.h - What all threads compute alike ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_COMMONVALUES_H
#define GPUOCC_WHATIF_COMMONVALUES_H

#include "gpuocc/WhatIf/Change.h"
#include <vector>

namespace gpuocc {

/// Arithmetic that gives the same in all threads of a grid: what it is computed
/// from are parameters, extents of the launch, constants and counters of loops
/// that all threads go through alike.
/// Indices in KernelFacts::Operations.
struct CommonValues {
  /// Operations on floats and doubles, and divisions of integers.
  std::vector<uint32_t> Ops;
  /// Those of Ops whose results other operations need.
  std::vector<uint32_t> Results;
};

/// Those of \p V, in what its profile says to be executed.
CommonValues commonValues(const KernelVariant &V);

/// \p Values come as arguments, or from a table where they are in a loop: a
/// load of a constant for each result. What only they needed goes with them.
Change lookUp(CommonValues Values);

/// Arithmetic whose results follow from threadIdx and counters of loops alone,
/// parameters and constants besides: each block has few different ones, which
/// its threads compute again and again.
struct TabulatedValues : CommonValues {
  /// Different results, of all operations of Results.
  double Words = 0;
  /// Instructions with which a thread computes its part of a table of them.
  double InstructionsOfThread = 0;
};

/// Those of \p V that at least twice as many executions compute as there are
/// different ones.
TabulatedValues valuesOfThreads(const KernelVariant &V);

/// Each block computes \p Values once, to a table in shared memory, and loads
/// them from there.
Change tabulate(TabulatedValues Values);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_COMMONVALUES_H
