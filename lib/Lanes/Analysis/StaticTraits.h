//===- StaticTraits.h - What is known without a walk ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_STATICTRAITS_H
#define GPUOCC_LIB_LANES_ANALYSIS_STATICTRAITS_H

#include "Analysis/FollowedMemory.h"
#include "Analysis/LoopNest.h"
#include "Analysis/RecordedMemory.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace gpuocc {

/// What is known about a value without evaluating it.
struct StaticTraits {
  /// May differ between lanes.
  bool Varying = false;
  /// Rests on a value read from memory.
  bool Data = false;
  /// Rests on an operation that is not evaluated.
  bool Opaque = false;
  /// Branches or loop exits that rest on either decide which of several values
  /// it is.
  bool Chosen = false;
  /// May differ between blocks.
  bool PerBlock = false;
  /// Inside of a mathematical function: rests on unknown arguments,
  /// so that they are drawn (MathLibrary.h).
  bool Drawn = false;

  /// Adds all that \p Other has.
  StaticTraits &operator|=(const StaticTraits &Other);

  bool operator==(const StaticTraits &) const = default;
};

/// The traits of each operation of \p Facts. What \p Recorded loads read is as
/// known as their addresses, and so are the numbers of a counter whose access
/// \p IsGuessed names.
std::vector<StaticTraits>
findStaticTraits(const KernelFacts &Facts, const LoopNest &Nest,
                 const FollowedMemory &Memory, const RecordedArrays &Recorded,
                 const std::vector<bool> &InLibrary,
                 llvm::function_ref<bool(uint32_t)> IsGuessed);

/// Those of \p O, from the \p Traits of all operations.
StaticTraits traitsOf(llvm::ArrayRef<StaticTraits> Traits, const Operand &O);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_STATICTRAITS_H
