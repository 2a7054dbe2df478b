//===- TensorCores.h - Products of matrices in scalar code ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_WHATIF_TENSORCORES_H
#define GPUOCC_WHATIF_TENSORCORES_H

#include "gpuocc/WhatIf/Change.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuocc {

/// A multiply-add and the instruction of tensor cores for its numbers.
struct TensorForm {
  InstClass From;
  /// Bits of the factors.
  unsigned Bits;
  InstClass To;
  /// Multiplications and additions of one instruction of a warp.
  double OfOne, OfProduct;
  /// First compute capability that has it, times ten.
  unsigned FirstArchitecture;
  const char *Text;

  /// Instructions of tensor cores for each of From.
  constexpr double share() const { return OfOne / OfProduct; }
};

/// Multiply-adds of \p V that add to a sum of a loop what depends on one
/// coordinate of the thread times what depends on the other.
std::vector<uint32_t> productsOfMatrices(const KernelVariant &V);

/// The form of tensor cores for \p Op, a multiply-add of \p Facts.
const TensorForm *tensorFormOf(const KernelFacts &Facts, const Operation &Op);

/// Share of the multiply-adds that \p V executes that \p Products are.
double shareOfProducts(const KernelVariant &V,
                       llvm::ArrayRef<uint32_t> Products);

/// Lets tensor cores do \p Products, which are of one form: the arithmetic in
/// as many instructions as they need, and as many fewer loads.
Change useTensorCores(std::vector<uint32_t> Products);

} // namespace gpuocc

#endif // GPUOCC_WHATIF_TENSORCORES_H
