//===- SidesOfBlocks.cpp - Blocks that take a side as a whole -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/SidesOfBlocks.h"
#include "Walk/LaneValue.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace gpuocc;
using namespace llvm;

std::vector<uint32_t> gpuocc::branchesOfBlocks(const KernelFacts &Facts,
                                               const Slice &S,
                                               const LaunchInputs &Inputs) {
  std::vector<uint32_t> Branches;
  if (!S.Used.has(Mechanism::UniformProbability))
    return Branches;
  for (uint32_t I = 0; I < Facts.Branches.size(); ++I) {
    const Branch &B = Facts.Branches[I];
    const std::optional<double> Share = Inputs.probability(I);
    if (Share && *Share > 0 && *Share < 1 && B.Block < S.Blocks.size() &&
        S.Blocks[B.Block].IsOfBlock && S.Nest.innermost(B.Block) == NoIndex)
      Branches.push_back(I);
  }
  return Branches;
}

namespace {

/// The warps [First, End) of a plan, which are of one block.
struct PlannedBlock {
  size_t First, End;
  double Weight;
};

} // namespace

static std::vector<PlannedBlock> blocksOf(const WarpPlan &Plan) {
  std::vector<PlannedBlock> Blocks;
  for (size_t I = 0; I < Plan.Warps.size(); ++I) {
    if (I == 0 || Plan.Warps[I].BlockIndex != Plan.Warps[I - 1].BlockIndex)
      Blocks.push_back({I, I, 0});
    Blocks.back().End = I + 1;
    Blocks.back().Weight += Plan.Warps[I].Weight;
  }
  return Blocks;
}

/// Which of \p Blocks take a side that \p Share of the grid takes: as many as
/// come nearest to it, but one of each kind at least. \p Salt makes the choices
/// of two branches independent.
static std::vector<bool> takersOf(ArrayRef<PlannedBlock> Blocks, double Share,
                                  uint64_t Salt) {
  std::vector<size_t> Order(Blocks.size());
  std::iota(Order.begin(), Order.end(), 0);
  // Different places have different numbers.
  llvm::sort(Order, [&](size_t A, size_t B) {
    return scramble(A ^ Salt << 32) < scramble(B ^ Salt << 32);
  });
  std::vector<bool> Takes(Blocks.size());
  double Owed = 0;
  for (size_t I : Order) {
    Owed += Share * Blocks[I].Weight;
    Takes[I] = Owed >= Blocks[I].Weight / 2;
    if (Takes[I])
      Owed -= Blocks[I].Weight;
  }
  if (llvm::all_equal(Takes))
    Takes[Order.front()] = !Takes[Order.front()];
  return Takes;
}

std::vector<BlockSides> gpuocc::sidesOfBlocks(const WarpPlan &Plan,
                                              const KernelFacts &Facts,
                                              ArrayRef<uint32_t> Branches,
                                              const LaunchInputs &Inputs) {
  std::vector<BlockSides> Sides(Plan.Warps.size());
  const std::vector<PlannedBlock> Blocks = blocksOf(Plan);
  if (Branches.empty() || Blocks.size() < 2)
    return Sides;
  double All = 0;
  for (const PlannedBlock &B : Blocks)
    All += B.Weight;
  for (BlockSides &Of : Sides)
    Of.Takes.resize(Facts.Branches.size());
  for (uint32_t Branch : Branches) {
    const double Share = *Inputs.probability(Branch);
    const std::vector<bool> Takes = takersOf(Blocks, Share, Branch + 1);
    double Taking = 0;
    for (size_t I = 0; I < Blocks.size(); ++I)
      Taking += Takes[I] ? Blocks[I].Weight : 0;
    for (size_t I = 0; I < Blocks.size(); ++I)
      for (size_t W = Blocks[I].First; W < Blocks[I].End; ++W) {
        Sides[W].Takes[Branch] = Takes[I];
        Sides[W].Weight *= Takes[I] ? Share * All / Taking
                                    : (1 - Share) * All / (All - Taking);
      }
  }
  return Sides;
}
