//===- JoinViews.h - Machine code and compiler's view -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Machine code (the SASS view) knows what is issued; the view of the compiler
/// (the MIR view) knows how often, for which addresses and for which lines. The
/// two are joined by Operation::Origin, the number that each instruction of the
/// compiler carried through the assembler in place of its line.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_JOINVIEWS_JOINVIEWS_H
#define GPUOCC_JOINVIEWS_JOINVIEWS_H

#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"

namespace gpuocc {

/// What in machine code was made from what. All indices of the left side are
/// those of the SASS view.
struct ViewJoin {
  /// Operations: block of the MIR view that holds their origin; NoIndex where
  /// the origin is unknown or in several blocks.
  std::vector<uint32_t> BlockOfOp;
  /// Accesses, branches and loops: those of the MIR view.
  std::vector<uint32_t> Access, Branch, Loop;
  /// Loops: iterations of the MIR view in one pass through the body.
  std::vector<unsigned> Copies;
  /// Blocks that only the assembler's own checks lead to: slow paths of
  /// divisions, shuffles of diverged warps. Taken not to run.
  std::vector<bool> IsCold;
  /// Share of the operations outside of cold blocks whose origin is in the MIR
  /// view, and share of the accesses of memory.
  double JoinedOps = 0, JoinedAccesses = 0;

  /// True if the machine code can be priced with counts of the MIR view:
  /// nearly all operations and accesses lead back to it.
  bool isGood() const { return JoinedOps >= 0.9 && JoinedAccesses >= 0.9; }
};

/// Joins \p Sass to \p Mir, and copies to \p Sass what describes the kernel as
/// such: parameters, symbols, launch bounds, places.
ViewJoin joinViews(const KernelFacts &Mir, KernelFacts &Sass);

/// \p Mir without the assembler's predication, whose profile says how often
/// each block is reached and not how often it issues.
KernelFacts withoutPredication(KernelFacts Mir);

/// The profile of \p Sass that follows from \p Profile, the profile of
/// withoutPredication(\p Mir). What the join does not decide is among the
/// assumptions; accesses that the compiler knows nothing of are folded with
/// \p Geometry.
ExecutionProfile projectProfile(const ViewJoin &Join, const KernelFacts &Mir,
                                const ExecutionProfile &Profile,
                                const KernelFacts &Sass,
                                const MemoryGeometry &Geometry);

} // namespace gpuocc

#endif // GPUOCC_JOINVIEWS_JOINVIEWS_H
