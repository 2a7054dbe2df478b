//===- Reach.h - Code that no walked warp reaches ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tells code that a launch never gets to from code that it might get to, and
/// says what the accesses there would cost.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_MEMORY_REACH_H
#define GPUOCC_LIB_LANES_MEMORY_REACH_H

#include "Walk/LaneValue.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include <type_traits>

namespace gpuocc {

class LaunchInputs;
class Recorder;

/// Whether a block of code is executed.
struct BlockReach {
  enum Kind : uint32_t {
    Reached,
    /// No warp of the launch gets there.
    Never,
    /// No walked warp does, for all that is known others may.
    Perhaps
  };
  Kind What = Reached;
  /// The branch that leads there from code that is reached; NoIndex if none.
  uint32_t Branch = NoIndex;
};
static_assert(std::has_unique_object_representations_v<BlockReach>);

/// The reach of every block of code, as the walks in \p Walked show it.
/// \p GridIsKnown: they cover the blocks of the launch, not of an assumed grid.
std::vector<BlockReach> findReach(const KernelFacts &Facts,
                                  const Recorder &Walked, bool GridIsKnown);

/// Completes accesses and branches of \p Out that no walked warp executes. What
/// a request would cost, and how exact that is, is taken from \p Detours, walks
/// that went there anyway; executions stay 0.
void describeUnreached(const KernelFacts &Facts,
                       llvm::ArrayRef<BlockReach> Reach, const Recorder &Walked,
                       const Recorder &Detours, const LaunchInputs &Inputs,
                       ExecutionProfile &Out);

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_MEMORY_REACH_H
