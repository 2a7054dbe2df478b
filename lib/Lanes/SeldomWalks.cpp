//===- SeldomWalks.cpp - Code behind conditions that seldom hold ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SeldomWalks.h"
#include "Recorder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace gpuocc;
using namespace llvm;

namespace {
/// Which blocks of code a walk gets to.
class BlocksSeen final : public WalkObserver {
public:
  explicit BlocksSeen(size_t NumBlocks) : Seen(NumBlocks, false) {}
  std::vector<bool> Seen;

  void onBlock(uint32_t Block, LaneMask, double) override {
    Seen[Block] = true;
  }
  void onBranch(const BranchEvent &) override {}
  void onAccess(const AccessEvent &) override {}
  void onLoop(const LoopEvent &) override {}
};
} // namespace

SeldomWalks::SeldomWalks(const KernelFacts &Facts, const Slice &S,
                         LaunchInputs &Inputs, const WalkLimits &Limits,
                         ArrayRef<PlannedWarp> Planned)
    : Facts(Facts), S(S), Inputs(Inputs), Limits(Limits) {
  this->Limits.BeginsSeldom = true;
  for (const PlannedWarp &W : Planned)
    if (W.BlockIndex == Planned[Planned.size() / 2].BlockIndex) {
      Warps.push_back(W);
      // They are not expected to do what the warps do that were walked before.
      Warps.back().Class = ~W.Class;
      Weight += W.Weight;
    }
}

/// One side of \p Branch goes on in a loop that the other leaves.
static bool leavesLoop(const KernelFacts &Facts, uint32_t Branch) {
  if (Branch >= Facts.Branches.size())
    return false;
  const gpuocc::Branch &B = Facts.Branches[Branch];
  return any_of(Facts.Loops, [&](const Loop &L) {
    auto Stays = [&](uint32_t Target) {
      return is_contained(L.Blocks, Target);
    };
    return Stays(B.Block) && !all_of(B.Targets, Stays);
  });
}

bool SeldomWalks::reachMore(ArrayRef<BlockReach> Reach) const {
  // Of exits of loops the trip count decides.
  auto IsPerhaps = [&](const BlockReach &R) {
    return R.What == BlockReach::Perhaps && !leavesLoop(Facts, R.Branch);
  };
  if (none_of(Reach, IsPerhaps))
    return false;
  BlocksSeen Blocks(Reach.size());
  const PlannedWarp &W = Warps.front();
  WarpWalker(Facts, S, Inputs, Limits)
      .walk(W.BlockIndex, W.WarpInBlock, 1, Blocks);
  return any_of(seq<size_t>(0, Reach.size()), [&](size_t I) {
    return IsPerhaps(Reach[I]) && Blocks.Seen[I];
  });
}

void SeldomWalks::addTo(Recorder &Into, double NumWarps) const {
  WarpWalker Walker(Facts, S, Inputs, Limits);
  for (const PlannedWarp &W : Warps) {
    const double Share = W.Weight / Weight * NumWarps;
    Into.beginWarp(W, Share);
    Walker.walk(W.BlockIndex, W.WarpInBlock, Share, Into);
    Into.endWarp();
  }
}
