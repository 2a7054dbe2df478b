//===- LaunchTurns.h - What a launch says of its loops ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_WALK_LAUNCHTURNS_H
#define GPUOCC_LIB_LANES_WALK_LAUNCHTURNS_H

#include "gpuocc/Kernel/CountedTurns.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include <optional>
#include <vector>

namespace gpuocc {

/// Trip counts of the loops of one launch that it gives, or that were counted
/// while the kernel ran.
class LaunchTurns {
public:
  /// \p Counted: what was counted in all blocks; null where nothing was.
  LaunchTurns(const KernelFacts &Facts, const Launch &L,
              const CountedTurns *Counted);

  const CountedTurns *counted() const { return Counted; }

  /// Iterations per entry that the launch gives for \p Loop.
  std::optional<double> given(uint32_t Loop) const;

  /// Turns of a loop per entry, counted while the kernel ran.
  struct CountedTrips {
    /// Of the longest lane, and of the mean lane.
    double Longest = 1, MeanLane = 1;
  };
  /// Of warp \p Warp of block \p Block, where that is known by itself, or of
  /// the mean warp that entered \p Loop; nothing where the launch gives another
  /// number or it was not counted.
  std::optional<CountedTrips> counted(uint32_t Loop, uint64_t Block,
                                      unsigned Warp) const;
  /// The blocks, of \p NumWarps warps each, that are known by themselves turn
  /// differently often in loops that were counted.
  bool decide(unsigned NumWarps) const;

private:
  const KernelFacts &Facts;
  const Launch &L;
  const CountedTurns *Counted;
  /// The counted loops that each loop is.
  std::vector<std::vector<uint32_t>> LoopsInTurns;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_WALK_LAUNCHTURNS_H
