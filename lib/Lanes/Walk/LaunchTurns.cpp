//===- LaunchTurns.cpp - What a launch says of its loops ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/LaunchTurns.h"
#include "Slice/BranchProbability.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

LaunchTurns::LaunchTurns(const KernelFacts &Facts, const Launch &L,
                         const CountedTurns *Counted)
    : Facts(Facts), L(L), Counted(Counted) {
  if (Counted)
    LoopsInTurns = Counted->match(Facts);
}

/// What \p L gives for the place of \p Location.
static std::optional<double> givenAt(const KernelFacts &Facts, const Launch &L,
                                     uint32_t Location) {
  auto It = L.TripCounts.find(placeText(Facts.placeOf(Location)));
  if (It == L.TripCounts.end())
    return std::nullopt;
  return std::max(1.0, It->second.Value);
}

std::optional<double> LaunchTurns::given(uint32_t LoopIndex) const {
  if (L.TripCounts.empty())
    return std::nullopt;
  const Loop &Of = Facts.Loops[LoopIndex];
  if (const std::optional<double> Trips = givenAt(Facts, L, Of.Location))
    return Trips;
  // Compilers disagree on the line where a loop starts; its condition stands
  // where a branch leaves it.
  for (const Branch &B : Facts.Branches) {
    if (B.Op >= Facts.Operations.size() ||
        Facts.Blocks[B.Block].Loop != LoopIndex ||
        all_of(B.Targets, [&](uint32_t Target) {
          return is_contained(Of.Blocks, Target);
        }))
      continue;
    if (const std::optional<double> Trips =
            givenAt(Facts, L, Facts.Operations[B.Op].Location))
      return Trips;
  }
  return std::nullopt;
}

std::optional<LaunchTurns::CountedTrips>
LaunchTurns::counted(uint32_t Loop, uint64_t Block, unsigned Warp) const {
  if (!Counted || LoopsInTurns[Loop].empty() || given(Loop))
    return std::nullopt;
  auto Of = [](const TurnCount &T) {
    return CountedTrips{std::max(1.0, T.Turns / T.Entries),
                        std::max(1.0, T.MeanLaneTurns / T.Entries)};
  };
  const std::optional<TurnCount> OfWarp =
      Counted->ofWarp(Block, Warp, LoopsInTurns[Loop]);
  if (OfWarp && OfWarp->Entries > 0)
    return Of(*OfWarp);
  const TurnCount OfGrid = Counted->ofGrid(LoopsInTurns[Loop]);
  if (OfGrid.Entries > 0)
    return Of(OfGrid);
  return std::nullopt;
}

bool LaunchTurns::decide(unsigned NumWarps) const {
  if (!Counted)
    return false;
  // Blocks that differ by less work alike.
  constexpr double Noticeable = 1.01;
  for (const std::vector<uint32_t> &Loops : LoopsInTurns) {
    double Most = 0, Sum = 0;
    for (const CountedBlock &B : Counted->Blocks) {
      double OfBlock = 0;
      for (unsigned W = 0; W != NumWarps; ++W)
        if (const auto T = Counted->ofWarp(B.Number, W, Loops))
          OfBlock += T->Turns;
      Most = std::max(Most, OfBlock);
      Sum += OfBlock;
    }
    if (Most * double(Counted->Blocks.size()) > Noticeable * Sum)
      return true;
  }
  return false;
}
