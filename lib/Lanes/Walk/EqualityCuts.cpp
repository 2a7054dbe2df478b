//===- EqualityCuts.cpp - Blocks that an equality picks -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/EqualityCuts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <optional>
#include <set>
#include <vector>

using namespace gpuocc;
using namespace llvm;

namespace {

/// The differences of the sides of each equality, in the order of execution.
class Differences final : public WalkObserver {
public:
  struct Sides {
    int64_t First, Last;
  };
  std::map<uint32_t, std::vector<Sides>> OfOp;

  void onEquality(uint32_t Op, int64_t First, int64_t Last) override {
    OfOp[Op].push_back({First, Last});
  }
};

} // namespace

/// The block of a dimension for which the sides of an equality meet, if they
/// are \p Near and \p Next apart in blocks number \p Place and Place + 1. Sides
/// that differ from lane to lane meet for some thread of the block.
static std::optional<uint64_t> blockWhereEqual(uint64_t Place,
                                               Differences::Sides Near,
                                               Differences::Sides Next,
                                               uint64_t NumBlocks) {
  // Differences of these neither overflow nor trap where they are divided.
  for (int64_t Apart : {Near.First, Near.Last, Next.First, Next.Last})
    if (!isInt<62>(Apart))
      return std::nullopt;
  const int64_t Step = Next.First - Near.First;
  if (Step == 0 || Next.Last - Near.Last != Step)
    return std::nullopt;
  const bool IsOfThreads = Near.First != Near.Last;
  if (!IsOfThreads && Near.First % Step != 0)
    return std::nullopt;
  const int64_t Found = int64_t(Place) + divideFloorSigned(-Near.First, Step);
  if (Found < 0 || uint64_t(Found) >= NumBlocks)
    return std::nullopt;
  return uint64_t(Found);
}

void gpuocc::addEqualityCuts(Dim3 Grid, const bool (&Uses)[3],
                             unsigned MaxPicked, WalkOfBlock Walk,
                             GridCuts &Cuts) {
  const uint64_t Extent[3] = {Grid.X, Grid.Y, Grid.Z};
  for (unsigned D = 0; D != 3; ++D) {
    if (!Uses[D] || Extent[D] <= 3)
      continue;
    const uint64_t Place = Extent[D] / 2;
    Differences Near, Next;
    for (auto [Block, Into] : {std::pair(Place, &Near), {Place + 1, &Next}}) {
      Dim3 At{Grid.X / 2, Grid.Y / 2, Grid.Z / 2};
      (D == 0 ? At.X : D == 1 ? At.Y : At.Z) = Block;
      Walk(At, *Into);
    }
    std::set<uint64_t> Picked;
    for (const auto &[Op, Sides] : Near.OfOp)
      for (auto [Here, There] : zip(Sides, Next.OfOp[Op]))
        if (std::optional<uint64_t> Block =
                blockWhereEqual(Place, Here, There, Extent[D]))
          Picked.insert(*Block);
    if (Picked.size() > MaxPicked)
      continue;
    std::set<uint64_t> All(Cuts[D].begin(), Cuts[D].end());
    for (uint64_t Block : Picked) {
      All.insert(Block);
      All.insert(Block + 1);
    }
    Cuts[D].assign(All.begin(), All.end());
  }
}
