//===- NeededOperations.h - The operations that a slice has -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_ANALYSIS_NEEDEDOPERATIONS_H
#define GPUOCC_LIB_LANES_ANALYSIS_NEEDEDOPERATIONS_H

#include "Analysis/FollowedMemory.h"
#include "Analysis/RecordedMemory.h"
#include "Analysis/StaticTraits.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace gpuocc {

/// Which operations branch conditions, guards and addresses are made of, and as
/// what they are evaluated.
class NeededOperations {
public:
  /// All arguments are asked again later. \p Traits are those of the
  /// operations of \p Facts, \p Memory is what of their memory is followed.
  NeededOperations(const KernelFacts &Facts,
                   llvm::ArrayRef<StaticTraits> Traits,
                   const FollowedMemory &Memory,
                   const RecordedArrays &Recorded);

  bool isNeeded(uint32_t Op) const { return Needed[Op]; }

  /// What operation \p Op is evaluated as. Floating-point values that rest on
  /// loaded data are not worth a walk through what they are made of.
  Semantics evaluatedAs(uint32_t Op) const;

  /// Is \p Op computed from its operands?
  bool followsOperands(uint32_t Op) const;

  /// A load that is looked up. What holds only loaded data is not worth it.
  bool isFollowedLoad(uint32_t Op) const;

  /// An atomic that hands out numbers.
  bool isCounter(uint32_t Op) const;

  /// Is the symbol of access \p Access looked up by some load of the slice?
  bool isLookedUp(uint32_t Access) const;

  /// Does \p Access write to a recorded array what a load of the slice may
  /// find?
  bool isOverwriting(uint32_t Access) const { return Overwriting[Access]; }

  /// A division or root of numbers that are evaluated, which decide the path it
  /// takes.
  bool decidesPath(uint32_t Op) const { return DecidesPath[Op]; }

  /// A parameter or load that an address outside of shared memory begins with.
  bool isPointerRoot(uint32_t Op) const { return PointerRoot[Op]; }

private:
  void need(const Operand &O);
  void markNeeded();
  void needBehind();
  void markSlowPaths();
  bool isConstantZero(uint32_t Op) const;
  /// Is \p Op evaluated anyway?
  bool isFollowed(uint32_t Op) const;
  /// Is \p Op made of recorded numbers by what is cheap to follow?
  bool isMadeOfRecorded(uint32_t Op) const;
  void findLookedUp();
  void findHoldsKnown();
  void markPointerRoots();

  const KernelFacts &Facts;
  llvm::ArrayRef<StaticTraits> Traits;
  const FollowedMemory &Memory;
  const RecordedArrays &Recorded;
  std::vector<bool> Needed, PointerRoot, DecidesPath;
  /// By symbol: a load of the slice reads it.
  std::vector<bool> IsLookedUp;
  /// By symbol: some store leaves known numbers there that differ by lane.
  std::vector<bool> HoldsKnown;
  /// By access.
  std::vector<bool> Overwriting;
  std::vector<uint32_t> Worklist;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_ANALYSIS_NEEDEDOPERATIONS_H
