//===- Recorder.h - Sum what walks see into a profile ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_LANES_MEMORY_RECORDER_H
#define GPUOCC_LIB_LANES_MEMORY_RECORDER_H

#include "Memory/AccessSum.h"
#include "Walk/WarpPlan.h"
#include "Walk/WarpWalker.h"
#include <array>
#include <map>

namespace gpuocc {

class Recorder final : public WalkObserver {
public:
  /// \p Confirmed as in WarpPlan: figures that agree between warps that
  /// should behave alike are exact.
  Recorder(const KernelFacts &Facts, const MemoryGeometry &Geometry,
           bool Confirmed);

  /// The next walk is of \p W, which stands for \p Weight warps. Warps of one
  /// class and one place in their block are expected to behave alike.
  void beginWarp(const PlannedWarp &W, double Weight);
  void endWarp();

  void onBlock(uint32_t Block, LaneMask Active, double Weight) override;
  void onBranch(const BranchEvent &E) override;
  void onAccess(const AccessEvent &E) override;
  void onLoop(const LoopEvent &E) override;
  void onSlowPath(uint32_t Op, bool IsTaken, double Weight) override;

  /// Means over \p NumWarps warps.
  void finish(double NumWarps, const LaunchInputs &Inputs,
              ExecutionProfile &Out) const;

  /// ExecutionProfile::SampledError of what was walked.
  double sampledError() const;
  /// Blocks of the grid that were walked.
  size_t numBlocks() const { return WalkedBlocks.size(); }

  /// No access was made by any lane.
  bool isIdle() const;

  /// Warps that should behave alike did.
  bool warpsAgree() const { return !WarpsDiffer; }

  /// The trip count of \p Loop rests on nothing unknown, and was found by
  /// walking to the end.
  bool isOpen(uint32_t Loop) const {
    return Loops[Loop].IsOpen && Loops[Loop].Taint == 0;
  }

  /// Trips of an entry of \p Loop, mean over entries; 0 where there is none.
  double meanTrips(uint32_t Loop) const {
    const LoopSum &L = Loops[Loop];
    return L.Entries > 0 ? L.Trips / L.Entries : 0;
  }

  /// Some walked warp executes \p Block.
  bool executes(uint32_t Block) const { return BlockExecutions[Block] > 0; }
  /// What the conditions of \p Branch rested on.
  TaintMask branchTaint(uint32_t Branch) const {
    return Branches[Branch].Taint;
  }
  /// The ways that walked warps took at \p Branch are all that there are: its
  /// conditions rest on nothing unknown, and no execution was left out.
  bool showsAllWaysOf(uint32_t Branch) const;

private:
  struct BranchSum {
    double Executions = 0, Divergent = 0, Lanes = 0, TakenLanes = 0;
    TaintMask Taint = 0;
    /// Executions and taken executions of the first warp, and whether other
    /// warps differ.
    double FirstExecutions = 0, FirstTaken = 0;
    double WarpExecutions = 0, WarpTaken = 0;
    /// Warps with a divergent execution.
    double DivergentWarps = 0, Warps = 0;
    bool Seen = false, WarpsDiffer = false, WarpDiverged = false;
    /// Some execution stood for others.
    bool Sampled = false;
  };

  struct LoopSum {
    double Entries = 0, Trips = 0, LaneTrips = 0, MaxLaneTrips = 0;
    TaintMask Taint = 0;
    bool IsOpen = false;
  };

  /// What one warp did: executions of the blocks of code, and sectors and
  /// wavefronts of each access.
  struct WarpFigures {
    std::vector<float> Blocks;
    std::vector<std::pair<float, float>> Accesses;
  };

  /// A walked block, which stands for Weight blocks: instructions and sectors
  /// of all of these.
  struct BlockSum {
    uint32_t Class = 0;
    Dim3 Index;
    bool IsOfMixed = false;
    double Weight = 0;
    std::array<double, 2> Figures = {};
  };

  /// WarpSample::RequestShares of the present warp.
  std::vector<double> requestShares() const;
  void finishAccess(size_t I, double NumWarps, const LaunchInputs &Inputs,
                    AccessProfile &Out) const;
  void finishBranch(size_t I, double NumWarps, const LaunchInputs &Inputs,
                    BranchProfile &Out) const;

  const KernelFacts *Facts;
  const MemoryGeometry *Geometry;
  bool Confirmed;
  bool WarpsDiffer = false;
  std::vector<double> BlockExecutions, BlockLanes;
  /// Instructions of each block of code.
  std::vector<double> Instructions;
  std::vector<BlockSum> WalkedBlocks;
  std::vector<AccessSum> Accesses;
  std::vector<BranchSum> Branches;
  std::vector<LoopSum> Loops;
  std::vector<WarpSample> Samples;
  /// By operation: executions of warps, and those on the slow path.
  std::map<uint32_t, std::pair<double, double>> SlowPaths;
  std::map<std::pair<uint32_t, unsigned>, WarpFigures> ClassFigures;
  /// Of the present warp: executions of blocks of code, and requests.
  std::vector<double> Current, CurrentRequests;
  WarpFigures CurrentFigures;
  WarpSample CurrentSample;
  uint32_t CurrentClass = 0;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_LANES_MEMORY_RECORDER_H
