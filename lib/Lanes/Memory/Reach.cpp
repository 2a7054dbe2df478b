//===- Reach.cpp - Code that no walked warp reaches -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Reach.h"
#include "Memory/Recorder.h"
#include "Walk/LaunchInputs.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

std::vector<BlockReach> gpuocc::findReach(const KernelFacts &Facts,
                                          const Recorder &Walked,
                                          bool GridIsKnown) {
  const size_t NumBlocks = Facts.Blocks.size();
  std::vector<BlockReach> Reach(NumBlocks);
  for (uint32_t B = 0; B < NumBlocks; ++B)
    if (!Walked.executes(B))
      Reach[B].What = BlockReach::Never;
  // What perhaps leads there goes first: it decides for all that follows.
  SmallVector<uint32_t, 16> Work;
  std::vector<bool> Seen(NumBlocks, false);
  auto Enter = [&](uint32_t To, uint32_t Branch, BlockReach::Kind Kind) {
    if (To >= NumBlocks || Seen[To] || Reach[To].What == BlockReach::Reached)
      return;
    Seen[To] = true;
    Reach[To] = {Kind, Branch};
    Work.push_back(To);
  };
  for (bool Certain : {false, true}) {
    for (uint32_t B = 0; B < NumBlocks; ++B) {
      if (Reach[B].What != BlockReach::Reached)
        continue;
      const uint32_t Branch = Facts.Blocks[B].Branch;
      const bool IsCertain = GridIsKnown && Branch < Facts.Branches.size() &&
                             Walked.showsAllWaysOf(Branch);
      if (IsCertain == Certain)
        for (uint32_t To : Facts.Blocks[B].Successors)
          Enter(To, Branch, Certain ? BlockReach::Never : BlockReach::Perhaps);
    }
    while (!Work.empty()) {
      const uint32_t B = Work.pop_back_val();
      const BlockReach From = Reach[B];
      for (uint32_t To : Facts.Blocks[B].Successors)
        Enter(To, From.Branch, From.What);
    }
  }
  return Reach;
}

/// "the branch at a.cu:12", or without a place.
static std::string branchText(const KernelFacts &Facts, uint32_t Branch) {
  const uint32_t Op = Facts.Branches[Branch].Op;
  SourcePlace Place = Op < Facts.Operations.size()
                          ? Facts.placeOf(Facts.Operations[Op].Location)
                          : SourcePlace();
  if (!Place.isValid())
    return "a branch before it";
  return ("the branch at " + sys::path::filename(Place.File) + ":" +
          Twine(Place.Line))
      .str();
}

static std::string reasonOf(const KernelFacts &Facts, const BlockReach &R,
                            const Recorder &Walked,
                            const LaunchInputs &Inputs) {
  std::string Text = R.What == BlockReach::Never
                         ? "this launch never gets there"
                         : "no walked warp gets there";
  if (R.Branch >= Facts.Branches.size())
    return Text;
  Text += ": " + branchText(Facts, R.Branch) + " goes the other way";
  const std::string Why = Inputs.describe(Walked.branchTaint(R.Branch));
  if (R.What == BlockReach::Perhaps && !Why.empty())
    Text += " (" + Why + ")";
  return Text;
}

void gpuocc::describeUnreached(const KernelFacts &Facts,
                               ArrayRef<BlockReach> Reach,
                               const Recorder &Walked, const Recorder &Detours,
                               const LaunchInputs &Inputs,
                               ExecutionProfile &Out) {
  ExecutionProfile There;
  Detours.finish(/*NumWarps=*/1, Inputs, There);
  auto ReachOf = [&](uint32_t Op) {
    const uint32_t Block =
        Op < Facts.Operations.size() ? Facts.Operations[Op].Block : NoIndex;
    return Block < Reach.size() ? Reach[Block] : BlockReach();
  };
  for (size_t I = 0; I < Facts.Accesses.size(); ++I) {
    const BlockReach R = ReachOf(Facts.Accesses[I].Op);
    if (R.What == BlockReach::Reached)
      continue;
    AccessProfile &A = Out.Accesses[I];
    const std::string Why = reasonOf(Facts, R, Walked, Inputs);
    if (R.What == BlockReach::Perhaps &&
        There.Accesses[I].RequestsPerWarp > 0) {
      A = There.Accesses[I];
      A.ExecutionsPerWarp = A.RequestsPerWarp = 0;
      A.Reason = Why + (A.Reason.empty() ? "" : "; if one did, ") + A.Reason;
      continue;
    }
    A.Reason = Why;
    if (R.What == BlockReach::Never)
      A.Exact = Exactness::Exact;
  }
  for (size_t I = 0; I < Facts.Branches.size(); ++I) {
    const BlockReach R = ReachOf(Facts.Branches[I].Op);
    if (R.What == BlockReach::Reached)
      continue;
    Out.Branches[I].Reason = reasonOf(Facts, R, Walked, Inputs);
    if (R.What == BlockReach::Never)
      Out.Branches[I].Exact = Exactness::Exact;
  }
}
