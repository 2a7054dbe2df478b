//===- AccurateFunctions.h - Functions that have an intrinsic ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_ACCURATEFUNCTIONS_H
#define GPUOCC_WHATIF_ACCURATEFUNCTIONS_H

#include "gpuocc/WhatIf/CodeChanges.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace gpuocc {

/// A call of a function of the mathematical library for floats, inlined, for
/// which the hardware has an instruction of less accuracy.
struct AccurateFunction {
  /// "expf", the intrinsic, "__expf(x)", and its error, in words.
  llvm::StringRef Name, Instead, Error;
  /// The operation that tells the function.
  uint32_t Op = NoIndex;
  /// What the intrinsic leaves of the call's operations; see
  /// replaceInstructions.
  std::vector<ReplacedOperation> Replaced;
  /// Instructions of an execution of the call.
  double Instructions = 0;
};

/// Those of \p Facts, told by coefficients of their polynomials, which are the
/// same in what nvcc and clang inline. Instructions are those of the line that
/// are of the classes of the function, as many as it has, the nearest first.
std::vector<AccurateFunction> accurateFunctions(const KernelFacts &Facts);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_ACCURATEFUNCTIONS_H
