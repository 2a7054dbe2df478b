//===- WholePower.h - powf with a whole exponent ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_WHOLEPOWER_H
#define GPUOCC_WHATIF_WHOLEPOWER_H

#include "gpuocc/WhatIf/Change.h"
#include <vector>

namespace gpuocc {

/// A power of floats whose exponent is a constant, a whole number or halfway
/// between two, as the libraries of nvcc and clang compute it: 2^(y log2 |x|)
/// with the logarithm in two parts.
/// Indices in KernelFacts::Operations.
struct WholePower {
  /// The product of the exponent and the logarithm's upper part.
  uint32_t Product = NoIndex;
  /// The whole part of the exponent's amount, up to MostExponent.
  unsigned Exponent = 2;
  /// The amount is Exponent + 0.5: a square root takes part.
  bool HasHalf = false;
  /// The reciprocal is asked for.
  bool IsNegative = false;
  /// All operations of the function, those of special cases among them.
  std::vector<uint32_t> Ops;
  /// The value that all cases meet in.
  uint32_t Result = NoIndex;

  static constexpr unsigned MostExponent = 16;
  /// Multiplications that squaring and multiplying takes, by the root too.
  unsigned multiplications() const;
};

/// The powers in \p Facts whose extent is certain: operations of one line
/// between the absolute value of the base and the value that all cases meet in.
std::vector<WholePower> wholePowers(const KernelFacts &Facts);

/// \p Powers are computed by multiplications, and by an approximate square root
/// or reciprocal where their exponent asks for one. A division by x^1.5 is a
/// product, of the reciprocal root.
Change multiplyOut(std::vector<WholePower> Powers);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_WHOLEPOWER_H
