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

/// A power of floats whose exponent is a whole constant, as the libraries of
/// nvcc and clang compute it: 2^(y log2 |x|) with the logarithm in two parts.
/// Indices in KernelFacts::Operations.
struct WholePower {
  /// The product of the exponent and the logarithm's upper part.
  uint32_t Product = NoIndex;
  /// 2 to MostExponent.
  unsigned Exponent = 2;
  /// All operations of the function, those of special cases among them.
  std::vector<uint32_t> Ops;

  static constexpr unsigned MostExponent = 16;
  /// Multiplications that squaring and multiplying takes.
  unsigned multiplications() const;
};

/// The powers in \p Facts whose extent is certain: operations of one line
/// between the absolute value of the base and the value that all cases meet in.
std::vector<WholePower> wholePowers(const KernelFacts &Facts);

/// \p Powers are computed by multiplications.
Change multiplyOut(std::vector<WholePower> Powers);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_WHOLEPOWER_H
