//===- WarpPlan.cpp - Which warps of a grid are walked --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/WarpPlan.h"
#include "Walk/LaneValue.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

GridCuts gpuocc::edgeCuts(Dim3 Grid, const bool (&Uses)[3]) {
  const uint64_t Extent[3] = {Grid.X, Grid.Y, Grid.Z};
  GridCuts Cuts;
  for (unsigned D = 0; D < 3; ++D) {
    Cuts[D] = {0};
    if (Uses[D] && Extent[D] > 1)
      Cuts[D].push_back(1);
    if (Uses[D] && Extent[D] > 2)
      Cuts[D].push_back(Extent[D] - 1);
    Cuts[D].push_back(Extent[D]);
  }
  return Cuts;
}

std::vector<BlockBox> gpuocc::boxesBetween(const GridCuts &Cuts) {
  std::vector<BlockBox> Cells;
  for (size_t Z = 0; Z + 1 < Cuts[2].size(); ++Z)
    for (size_t Y = 0; Y + 1 < Cuts[1].size(); ++Y)
      for (size_t X = 0; X + 1 < Cuts[0].size(); ++X)
        Cells.push_back({{Cuts[0][X], Cuts[1][Y], Cuts[2][Z]},
                         {Cuts[0][X + 1], Cuts[1][Y + 1], Cuts[2][Z + 1]}});
  return Cells;
}

/// The block in the middle of \p C; of two, either.
static Dim3 middleOf(const BlockBox &C) {
  uint64_t Index[3];
  for (unsigned D = 0; D < 3; ++D) {
    const uint64_t Extent = C.High[D] - C.Low[D];
    Index[D] = C.Low[D] + Extent / 2;
    if (Extent % 2 == 0)
      Index[D] -= scramble(3 * (C.Low[0] ^ C.Low[1] << 20) + D) & 1;
  }
  return {Index[0], Index[1], Index[2]};
}

/// Block number \p J of \p N spread over \p C. Different dimensions move at
/// different speeds, so that a few blocks see many combinations, and the low
/// bits take all values, since alignment depends on them.
static Dim3 blockOf(const BlockBox &C, uint64_t J, uint64_t N) {
  // Fractional parts of multiples of these are spread evenly (golden ratio,
  // and the plastic number for the third dimension).
  static constexpr double Turns[3] = {1.0, 0.6180339887498949,
                                      0.7548776662466927};
  // Blocks of one sample that alignment repeats after.
  constexpr uint64_t Period = 8;
  const uint64_t Residues[3] = {J, J / Period + 3 * J, J / Period * 3 + 5 * J};
  uint64_t Index[3];
  unsigned Fastest = 0;
  while (Fastest < 2 && C.High[Fastest] - C.Low[Fastest] == 1)
    ++Fastest;
  for (unsigned D = 0; D < 3; ++D) {
    uint64_t Extent = C.High[D] - C.Low[D];
    // Somewhere in its share of the cell: places that are evenly spaced may
    // all be multiples of a power of two.
    const double InShare = double(scramble(J) >> 40) / double(1 << 24);
    double Place = D == Fastest ? (double(J) + InShare) / double(N)
                                : double(J + 1) * Turns[D ? D : 1];
    Place -= double(uint64_t(Place));
    uint64_t Offset = uint64_t(Place * double(Extent));
    if (Extent >= 2 * Period) {
      if (Offset < Extent - Extent % Period)
        Offset = Offset / Period * Period + Residues[D] % Period;
    } else if (N % Extent == 0) {
      // As often each of them. Otherwise the first ones would come more often,
      // and what a block does may grow with its number.
      Offset = Residues[D] % Extent;
    }
    Index[D] = C.Low[D] + std::min(Offset, Extent - 1);
  }
  return {Index[0], Index[1], Index[2]};
}

/// Warps that make products and share registers together.
static constexpr unsigned GroupWarps = 4;

static unsigned groupsOf(unsigned WarpsPerBlock) {
  return (WarpsPerBlock + GroupWarps - 1) / GroupWarps;
}

/// Walks \p NumWarps of the warps of each of \p NumBlocks blocks of \p C, with
/// \p HaveRoles one of each group between the first and the last.
static void planCell(const BlockBox &C, uint32_t Class, uint64_t NumBlocks,
                     unsigned NumWarps, unsigned WarpsPerBlock, bool HaveRoles,
                     std::vector<PlannedWarp> &Plan) {
  const bool All = NumBlocks >= C.blocks();
  NumBlocks = std::min(NumBlocks, C.blocks());
  for (uint64_t B = 0; B < NumBlocks; ++B) {
    PlannedWarp P;
    P.Class = Class;
    P.IsOfMixed = !C.IsAlike;
    if (All) {
      uint64_t W = C.High[0] - C.Low[0], H = C.High[1] - C.Low[1];
      P.BlockIndex = {C.Low[0] + B % W, C.Low[1] + B / W % H,
                      C.Low[2] + B / (W * H)};
    } else if (NumBlocks == 1 && !C.IsAlike) {
      // What grows evenly has its mean there.
      P.BlockIndex = middleOf(C);
    } else {
      P.BlockIndex = blockOf(C, B, NumBlocks);
    }
    const double BlockWeight = double(C.blocks()) / double(NumBlocks);
    auto Add = [&](unsigned Warp, unsigned First, unsigned StandsFor) {
      P.WarpInBlock = Warp;
      P.FirstAlike = First;
      P.NumAlike = StandsFor;
      P.Weight = BlockWeight * StandsFor;
      Plan.push_back(P);
    };
    if (NumWarps == 1) {
      Add(unsigned(B % WarpsPerBlock), 0, WarpsPerBlock);
      continue;
    }
    // The first and the last warp stand for themselves, since edges of the
    // data fall on them; the others share what is between.
    Add(0, 0, 1);
    unsigned Inner = WarpsPerBlock - 2, Samples = NumWarps - 2;
    const bool ByGroup = HaveRoles && Samples == groupsOf(WarpsPerBlock);
    for (unsigned J = 0; J < Samples; ++J) {
      unsigned Low = 1 + J * Inner / Samples;
      unsigned High = 1 + (J + 1) * Inner / Samples;
      if (ByGroup) {
        Low = std::max(1u, J * GroupWarps);
        High = std::min(WarpsPerBlock - 1, (J + 1) * GroupWarps);
      }
      if (Low < High)
        Add(Low + unsigned(B % (High - Low)), Low, High - Low);
    }
    const unsigned Rest = 1 + (Samples == 0 ? Inner : 0);
    Add(WarpsPerBlock - 1, WarpsPerBlock - Rest, Rest);
  }
}

/// \p Blocks of \p C, in eights where they can, for alignment.
static uint64_t inEights(uint64_t Blocks, const BlockBox &C) {
  return Blocks > 8 && Blocks < C.blocks() ? Blocks - Blocks % 8 : Blocks;
}

/// Nothing stands for anything else: each block is its own class.
static void makeClassesOfBlocks(WarpPlan &Plan, unsigned WarpsPerBlock) {
  for (auto [I, W] : enumerate(Plan.Warps))
    W.Class = uint32_t(I / WarpsPerBlock);
}

WarpPlan gpuocc::planWarps(Dim3 Grid, unsigned WarpsPerBlock,
                           const GridCuts &Cuts, unsigned MaxWarps,
                           uint64_t MaxBlocks, bool HaveRoles) {
  WarpPlan Plan;
  const std::vector<BlockBox> Cells = boxesBetween(Cuts);
  MaxWarps = std::max(MaxWarps, 1u);
  if (Grid.count() <= MaxWarps / std::max(1u, WarpsPerBlock)) {
    for (const BlockBox &C : Cells)
      planCell(C, 0, C.blocks(), WarpsPerBlock, WarpsPerBlock, HaveRoles,
               Plan.Warps);
    makeClassesOfBlocks(Plan, WarpsPerBlock);
    return Plan;
  }
  // Cells alike get as much as three quarters of the effort allow: two blocks
  // with all their warps, one, or some warps of one.
  const uint64_t ForCells = uint64_t(MaxWarps) * 3 / 4;
  uint64_t TwoBlocks = 0;
  for (const BlockBox &C : Cells)
    TwoBlocks += std::min<uint64_t>(2, C.blocks()) * WarpsPerBlock;
  uint64_t Blocks = TwoBlocks <= ForCells ? 2 : 1;
  unsigned InBlock = WarpsPerBlock;
  if (Blocks == 1) {
    Plan.Confirmed = false;
    const unsigned Least = HaveRoles ? 2 + groupsOf(WarpsPerBlock) : 3;
    InBlock = unsigned(std::clamp<uint64_t>(ForCells / Cells.size(),
                                            std::min(Least, WarpsPerBlock),
                                            WarpsPerBlock));
    if (HaveRoles)
      InBlock = std::min(Least, WarpsPerBlock);
  }
  // The rest goes to the large cells in proportion to their size.
  for (uint32_t I = 0; I < Cells.size(); ++I) {
    double Share = double(Cells[I].blocks()) / double(Grid.count());
    const uint64_t Mine = std::min(
        std::min(Cells[I].blocks(), MaxBlocks),
        std::max(Blocks, uint64_t(Share * double(MaxWarps) / InBlock)));
    planCell(Cells[I], I, inEights(Mine, Cells[I]), InBlock, WarpsPerBlock,
             HaveRoles, Plan.Warps);
  }
  return Plan;
}

WarpPlan gpuocc::planBoxes(ArrayRef<BlockBox> Boxes, unsigned WarpsPerBlock,
                           unsigned MaxWarps) {
  WarpPlan Plan;
  double All = 0, Mixed = 0;
  for (const BlockBox &B : Boxes) {
    All += double(B.blocks());
    Mixed += B.IsAlike ? 0 : double(B.blocks());
  }
  const unsigned InBlock = unsigned(std::clamp<uint64_t>(
      MaxWarps / Boxes.size(), std::min(3u, WarpsPerBlock), WarpsPerBlock));
  const double Blocks = double(MaxWarps) / InBlock;
  // Two blocks show whether all of a box are alike.
  const uint64_t Least = 2 * double(Boxes.size()) <= Blocks ? 2 : 1;
  Plan.Confirmed = InBlock == WarpsPerBlock && Least == 2;
  for (auto [I, B] : enumerate(Boxes)) {
    const double Size = double(B.blocks());
    const double Share =
        Mixed == 0 ? Size / All
                   : Size / All / 2 + (B.IsAlike ? 0 : Size / Mixed / 2);
    const uint64_t Mine =
        inEights(std::min<uint64_t>(
                     B.blocks(), std::max<uint64_t>(B.IsAlike ? Least : 1,
                                                    uint64_t(Share * Blocks))),
                 B);
    Plan.Confirmed &= B.IsAlike || Mine == B.blocks();
    planCell(B, uint32_t(I), Mine, InBlock, WarpsPerBlock, /*HaveRoles=*/false,
             Plan.Warps);
  }
  if (double(Plan.Warps.size()) == All * WarpsPerBlock)
    makeClassesOfBlocks(Plan, WarpsPerBlock);
  return Plan;
}

WarpPlan gpuocc::planByWork(std::vector<BlockWork> Blocks, uint64_t NumBlocks,
                            unsigned WarpsPerBlock, unsigned MaxWarps) {
  WarpPlan Plan;
  Plan.Confirmed = false;
  std::sort(Blocks.begin(), Blocks.end(),
            [](const BlockWork &A, const BlockWork &B) {
              const Dim3 &I = A.Index, &J = B.Index;
              return std::tuple(-A.Work, I.Z, I.Y, I.X) <
                     std::tuple(-B.Work, J.Z, J.Y, J.X);
            });
  double NumAlone =
      double(std::count_if(Blocks.begin(), Blocks.end(),
                           [](const BlockWork &B) { return B.IsAlone; }));
  // Someone has to stand for the rest.
  if (NumAlone == double(Blocks.size())) {
    for (BlockWork &B : Blocks)
      B.IsAlone = false;
    NumAlone = 0;
  }
  const double Each =
      (double(NumBlocks) - NumAlone) / (double(Blocks.size()) - NumAlone);
  // The blocks of the grid that it stands for.
  auto CountOf = [&](const BlockWork &B) { return B.IsAlone ? 1 : Each; };
  double AllWork = 0;
  for (const BlockWork &B : Blocks)
    AllWork += CountOf(B) * B.Work;
  const double Planned = std::max(1u, MaxWarps / std::max(1u, WarpsPerBlock));
  const bool TakesAll = double(Blocks.size()) <= Planned;
  uint32_t Class = 0;
  for (size_t First = 0, End; First < Blocks.size(); First = End, ++Class) {
    // The blocks that work most are a class of their own.
    const double Least =
        First == 0 ? Blocks[0].Work * 0.999 : Blocks[First].Work / 2;
    double Work = 0, InGrid = 0;
    for (End = First; End < Blocks.size() && Blocks[End].Work >= Least; ++End) {
      Work += CountOf(Blocks[End]) * Blocks[End].Work;
      InGrid += CountOf(Blocks[End]);
    }
    const double Count = double(End - First);
    // As much for how many they are as for what they do.
    const double Share =
        InGrid / double(NumBlocks) / 2 + (AllWork > 0 ? Work / AllWork / 2 : 0);
    const size_t Samples =
        size_t(TakesAll ? Count
                        : std::clamp(std::round(Share * Planned), 1.0,
                                     std::min(Count, Planned)));
    for (size_t J = 0; J < Samples; ++J) {
      PlannedWarp P;
      P.Class = Class;
      const BlockWork &B =
          Blocks[First + size_t((double(J) + 0.5) / double(Samples) * Count)];
      P.BlockIndex = B.Index;
      P.Weight = TakesAll ? CountOf(B) : InGrid / double(Samples);
      for (P.WarpInBlock = 0; P.WarpInBlock < WarpsPerBlock; ++P.WarpInBlock) {
        P.FirstAlike = P.WarpInBlock;
        Plan.Warps.push_back(P);
      }
    }
    if (First == 0)
      Plan.NumHeaviest = Plan.Warps.size();
  }
  return Plan;
}
