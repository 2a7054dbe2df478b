//===- PriceMerge.h - The price of more work in a thread --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_PRICEMERGE_H
#define GPUOCC_LIB_ASSESS_PRICEMERGE_H

#include "Price.h"
#include "gpuocc/WhatIf/MergeWork.h"
#include <optional>

namespace gpuocc {

/// A merge that can be launched, with the registers it takes.
struct PricedMerge {
  Merge Merged;
  KernelVariant Kernel;
  Prediction Predicted;
  Price Gain;
};

/// What \p C becomes under \p M; nothing where it cannot be merged or launched,
/// or where values would have to be spilled.
std::optional<PricedMerge> priceMerge(const Case &C, const Merge &M);

/// The same for other changes that keep values of several threads alive: sets
/// the registers of \p Fixed to what \p C takes and the estimate of the
/// difference. False where they would have to be spilled.
bool estimateMoreRegisters(const Case &C, KernelFacts &Fixed);

/// For changes after which threads keep less alive: lowers the registers of
/// \p Fixed by the estimate of the difference to \p C.
void estimateFewerRegisters(const Case &C, KernelFacts &Fixed);

/// Operations that \p Factor copies of the kernel have at most.
inline size_t operationsOf(const Case &C, unsigned Factor) {
  return C.Facts.Operations.size() * Factor;
}

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_PRICEMERGE_H
