//===- FloatFunctions.h - Functions of doubles, for floats ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_FLOATFUNCTIONS_H
#define GPUOCC_WHATIF_FLOATFUNCTIONS_H

#include "gpuocc/WhatIf/Change.h"
#include "gpuocc/WhatIf/CodeChanges.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace gpuocc {

/// Functions of the mathematical library that one source line calls for doubles
/// that were floats, such as `exp(-0.5 * x)`.
struct DoubleFunctions {
  /// Their names for floats, each once: "expf".
  std::vector<llvm::StringRef> Names;
  /// A power of a whole exponent is among them, which is multiplied out.
  bool HasWholePower = false;
  /// All operations that compute them, the polynomials and the special cases.
  std::vector<uint32_t> Ops;
  /// Loads of their coefficients, among Ops.
  std::vector<uint32_t> Loads;
  /// What takes their place.
  std::vector<ReplacedOperation> Instead;
};

/// The functions of doubles in \p Facts, line by line. They are told by
/// coefficients of their polynomials, which are the same in what nvcc and clang
/// inline.
std::vector<DoubleFunctions> doubleFunctions(const KernelFacts &Facts);

/// Calls the functions for floats, and computes operations \p Others by other
/// instructions.
Change useFloatFunctions(std::vector<DoubleFunctions> Functions,
                         std::vector<ReplacedOperation> Others);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_FLOATFUNCTIONS_H
