//===- TakeExecuted.cpp - What warps executed in place of a walk ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TakeExecuted.h"
#include "gpuocc/Kernel/Regions.h"
#include "gpuocc/WhatIf/ScaleBlock.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

namespace {

class ExecutedTaker {
public:
  ExecutedTaker(const ExecutedCounts &Counts, const KernelFacts &Facts,
                ExecutionProfile &Profile, ArrayRef<uint32_t> Of)
      : Counts(Counts), Facts(Facts), Profile(Profile), Of(Of) {}

  /// Of a loop that no other is around.
  void takeLoop(uint32_t Loop);

private:
  /// Executions of \p Block by a warp; nothing where the code that ran has no
  /// such block.
  std::optional<double> executionsOf(uint32_t Block) const;
  /// Executions of what comes before \p L, on all ways; nothing where that may
  /// go on elsewhere.
  std::optional<double> entriesOf(const gpuocc::Loop &L) const;
  /// Executions of the body of \p L, which is entered \p Entries times.
  std::optional<double> turnsOf(const gpuocc::Loop &L, double Entries) const;
  void takeBlock(uint32_t Block);
  void takeTrips(uint32_t Loop);

  const ExecutedCounts &Counts;
  const KernelFacts &Facts;
  ExecutionProfile &Profile;
  ArrayRef<uint32_t> Of;
  /// Turns of the loop that is taken that stand for one of those that ran.
  double Scale = 1;
};

} // namespace

std::optional<double> ExecutedTaker::executionsOf(uint32_t Block) const {
  if (Of[Block] == NoIndex)
    return std::nullopt;
  return Scale * double(Counts.Blocks[Of[Block]].Executions) /
         double(Counts.NumWarps);
}

std::optional<double> ExecutedTaker::entriesOf(const gpuocc::Loop &L) const {
  double Entries = 0;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
    if (!is_contained(Facts.Blocks[B].Successors, L.Header) ||
        is_contained(L.Blocks, B))
      continue;
    const std::optional<double> Ran = executionsOf(B);
    if (!Ran || Facts.Blocks[B].Successors.size() != 1)
      return std::nullopt;
    Entries += *Ran;
  }
  return Entries;
}

std::optional<double> ExecutedTaker::turnsOf(const gpuocc::Loop &L,
                                             double Entries) const {
  const std::optional<double> Headers = executionsOf(L.Header);
  // A header that tests is executed once more than the body.
  const bool TestsAtTop =
      !is_contained(L.Latches, L.Header) &&
      any_of(Facts.Blocks[L.Header].Successors,
             [&](uint32_t B) { return !is_contained(L.Blocks, B); });
  if (!Headers || !TestsAtTop)
    return Headers;
  return std::max(0.0, *Headers - Entries);
}

void ExecutedTaker::takeBlock(uint32_t Block) {
  const std::optional<double> Issued = executionsOf(issuingBlock(Facts, Block));
  const std::optional<double> Ran = executionsOf(Block);
  if (!Issued || !Ran)
    return;
  BlockProfile &P = Profile.Blocks[Block];
  const double Said = P.ExecutionsPerWarp;
  if (Said > 0)
    scaleExecutions(Facts, Profile, Block, *Issued / Said);
  P.ExecutionsPerWarp = *Issued;
  const ExecutedBlock &Counted = Counts.Blocks[Of[Block]];
  if (Counted.Executions == 0)
    return;
  constexpr double WarpLanes = 32;
  const double Executions = double(Counted.Executions);
  P.ActiveLaneFraction = double(Counted.Lanes) / Executions / WarpLanes;
  const gpuocc::BasicBlock &B = Facts.Blocks[Block];
  for (uint32_t Op = B.FirstOp; Op != B.FirstOp + B.NumOps; ++Op)
    if (const uint32_t A = Facts.Operations[Op].Access; A != NoIndex) {
      AccessProfile &Access = Profile.Accesses[A];
      Access.RequestsPerWarp = std::min(Access.RequestsPerWarp, *Ran);
    }
  if (B.Branch == NoIndex)
    return;
  BranchProfile &Branch = Profile.Branches[B.Branch];
  Branch.ExecutionsPerWarp = *Ran;
  Branch.DivergentFraction = double(Counted.Partings) / Executions;
}

void ExecutedTaker::takeTrips(uint32_t Loop) {
  const gpuocc::Loop &L = Facts.Loops[Loop];
  LoopProfile &P = Profile.Loops[Loop];
  if (const std::optional<double> Entries = entriesOf(L))
    if (const std::optional<double> Turns = turnsOf(L, *Entries))
      P.TripCount = *Entries > 0 ? *Turns / *Entries : 0;
  P.Basis = TripBasis::Counted;
  P.Exact = Exactness::Exact;
  P.Reason = "counted while warps of the launch ran";
}

void ExecutedTaker::takeLoop(uint32_t Loop) {
  const gpuocc::Loop &L = Facts.Loops[Loop];
  Scale = 1;
  // Turns were counted in all blocks, or follow from the launch: what some
  // warps do in a turn stands for what all do.
  const double Said = Profile.Blocks[L.Header].ExecutionsPerWarp;
  const double Ran = executionsOf(L.Header).value_or(0);
  const bool KnowsTurns =
      Profile.Loops[Loop].Basis == TripBasis::Counted && Said > 0 && Ran > 0;
  if (KnowsTurns)
    Scale = Said / Ran;
  const double Trips = Profile.Loops[Loop].TripCount;
  for (uint32_t Block : L.Blocks)
    takeBlock(Block);
  for (uint32_t In = 0; In != Facts.Loops.size(); ++In)
    if (is_contained(L.Blocks, Facts.Loops[In].Header))
      takeTrips(In);
  if (KnowsTurns)
    Profile.Loops[Loop].TripCount = Trips;
}

void gpuocc::takeExecuted(const ExecutedCounts &Counts,
                          const KernelFacts &Facts, ExecutionProfile &Profile) {
  auto IsOpen = [&](uint32_t Loop) {
    const LoopProfile &L = Profile.Loops[Loop];
    return L.TripCount > 0 &&
           (L.Basis != TripBasis::Counted || L.Exact != Exactness::Exact);
  };
  if (Counts.NumWarps == 0 ||
      none_of(seq<uint32_t>(0, uint32_t(Facts.Loops.size())), IsOpen))
    return;
  const auto Of = Counts.match(Facts);
  if (!Of)
    return;
  ExecutedTaker Taker(Counts, Facts, Profile, *Of);
  SmallVector<uint32_t, 8> Outermost;
  for (uint32_t Loop = 0; Loop != Facts.Loops.size(); ++Loop)
    if (IsOpen(Loop)) {
      uint32_t Top = Loop;
      while (Facts.Loops[Top].Parent != NoIndex)
        Top = Facts.Loops[Top].Parent;
      if (!is_contained(Outermost, Top))
        Outermost.push_back(Top);
    }
  for (uint32_t Loop : Outermost)
    Taker.takeLoop(Loop);
  Profile.NumWarpsRan = Counts.NumWarps;
  if (Counts.SampledError <= NoticedError)
    return;
  Profile.SampledError = std::max(Profile.SampledError, Counts.SampledError);
  Assumption &A = Profile.Assumptions.emplace_back();
  A.What = "work of the blocks that did not run ahead";
  raw_string_ostream(A.Taken)
      << "the mean of those with " << Counts.NumWarps
      << format(" warps that did, with a standard error of %.1f %%",
                100 * Counts.SampledError);
  A.HowToSupply = "blocks differ, and not all were followed";
}
