//===- PricedFinding.h - A finding and the kernel without it ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_PRICEDFINDING_H
#define GPUOCC_LIB_ASSESS_PRICEDFINDING_H

#include "gpuocc/Report/Report.h"
#include "gpuocc/WhatIf/KernelVariant.h"
#include <memory>

namespace gpuocc {

/// What a rule hands over.
struct PricedFinding : Finding {
  /// The kernel once the finding is mended, from which plans go on. Null unless
  /// AssessOptions::AdviseLaunches asks for plans, and where the price is no
  /// prediction for a changed kernel.
  std::shared_ptr<const KernelVariant> Fixed;
  /// Fixed can be priced, but is no code that rules may read: a plan ends with
  /// it.
  bool EndsPlan = false;
};

using Findings = std::vector<PricedFinding>;

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_PRICEDFINDING_H
