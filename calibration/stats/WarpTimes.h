//===- WarpTimes.h - Records of warps to times of an SM --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_STATS_WARPTIMES_H
#define GPUOCC_CALIBRATION_STATS_WARPTIMES_H

#include "kernels/Ptx.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace gpuocc::calibration {

/// What the records of one launch say. Clocks of different SMs are not
/// synchronized, so each SM is reduced by itself (Volkov 2016, section 5.5).
struct WarpTimes {
  double WarpCycles = 0;  ///< Mean over warps of end minus start.
  double SmCycles = 0;    ///< Mean over SMs of last end minus first start.
  double SmCyclesMax = 0; ///< The same for the slowest SM.
  double Ns = 0;          ///< Last end minus first start by the global timer.
  unsigned Sms = 0;       ///< SMs that ran a warp.
  unsigned MinWarpsPerSm = 0, MaxWarpsPerSm = 0;
  /// Most warps that an SM had at the same time: of the SM with the fewest, and
  /// of that with the most (Volkov 2016, section 5.6).
  unsigned MinResident = 0, MaxResident = 0;
  double CyclesPerNs = 0; ///< Mean over warps; 0 when the timer did not move.
};

/// Launches that were to fill SMs with a number of warps, and those in which
/// some SM had another number at its fullest. A warp that others keep from
/// issuing reads its first clock late, so that it seems to start late.
///
/// Source: Volkov 2016, chapter 5: that the wanted occupancy was reached is
/// checked, not believed.
class OccupancyCheck {
public:
  /// The launches that follow are of \p Group.
  void begin(llvm::StringRef Group) { Groups.push_back({Group.str(), 0, 0}); }
  void add(unsigned WantedWarps, const WarpTimes &Times);
  /// "120 of 120 launches had the warps per SM that they asked for", and of
  /// those that had not, how many are of which group and which was furthest
  /// apart; empty where none asked.
  std::string text() const;

private:
  struct GroupCount {
    std::string Name;
    unsigned Launches = 0, Apart = 0;
  };
  std::vector<GroupCount> Groups;
  /// Of the launch that was furthest from what it asked for.
  unsigned Wanted = 0, Found = 0;
  double Cycles = 0;
};

/// All fields 0 for no records.
WarpTimes reduceWarps(llvm::ArrayRef<WarpRecord> Records);

/// Times between blocks that follow one another on an SM.
struct BlockGaps {
  /// From the end of a block to the start of the block that takes its place:
  /// the j-th end of an SM, in order, frees the slot that the start number
  /// j + resident takes.
  std::vector<double> Gaps;
  /// From a block's first to its last warp's start.
  std::vector<double> Skews;
};

/// \p Records hold \p WarpsPerBlock records a block, in grid order.
BlockGaps blockGaps(llvm::ArrayRef<WarpRecord> Records, unsigned WarpsPerBlock,
                    unsigned ResidentBlocks);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_STATS_WARPTIMES_H
