//===- WarpPlan.cpp - Which warps of a grid are walked --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpPlan.h"
#include "LaneValue.h"
#include <algorithm>

using namespace gpuocc;

namespace {

/// A box of blocks that behave alike.
struct Cell {
  std::array<uint64_t, 3> Low, High;
  uint64_t blocks() const {
    return (High[0] - Low[0]) * (High[1] - Low[1]) * (High[2] - Low[2]);
  }
};

} // namespace

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

static std::vector<Cell> cellsOf(const GridCuts &Cuts) {
  std::vector<Cell> Cells;
  for (size_t Z = 0; Z + 1 < Cuts[2].size(); ++Z)
    for (size_t Y = 0; Y + 1 < Cuts[1].size(); ++Y)
      for (size_t X = 0; X + 1 < Cuts[0].size(); ++X)
        Cells.push_back({{Cuts[0][X], Cuts[1][Y], Cuts[2][Z]},
                         {Cuts[0][X + 1], Cuts[1][Y + 1], Cuts[2][Z + 1]}});
  return Cells;
}

/// Block number \p J of \p N spread over \p C; different dimensions move at
/// different speeds, so that a few blocks see many combinations.
static Dim3 blockOf(const Cell &C, uint64_t J, uint64_t N) {
  static constexpr double Turns[3] = {1.0, 0.6180339887498949,
                                      0.7548776662466927};
  uint64_t Index[3];
  for (unsigned D = 0; D < 3; ++D) {
    uint64_t Extent = C.High[D] - C.Low[D];
    double Place = (double(J) + 0.5) / double(N);
    if (D > 0)
      Place = double(J + 1) * Turns[D];
    Place -= double(uint64_t(Place));
    uint64_t Offset = uint64_t(Place * double(Extent));
    // Neighbouring samples differ in their low bits too.
    if (Extent >= 4 * N)
      Offset += scramble(J * 3 + D) % (Extent / N);
    Index[D] = C.Low[D] + std::min(Offset, Extent - 1);
  }
  return {Index[0], Index[1], Index[2]};
}

/// Walks \p NumWarps of the warps of each of \p NumBlocks blocks of \p C.
static void planCell(const Cell &C, uint32_t Class, uint64_t NumBlocks,
                     unsigned NumWarps, unsigned WarpsPerBlock,
                     std::vector<PlannedWarp> &Plan) {
  const bool All = NumBlocks >= C.blocks();
  NumBlocks = std::min(NumBlocks, C.blocks());
  for (uint64_t B = 0; B < NumBlocks; ++B) {
    Dim3 Index;
    if (All) {
      uint64_t W = C.High[0] - C.Low[0], H = C.High[1] - C.Low[1];
      Index = {C.Low[0] + B % W, C.Low[1] + B / W % H, C.Low[2] + B / (W * H)};
    } else {
      Index = blockOf(C, B, NumBlocks);
    }
    for (unsigned J = 0; J < NumWarps; ++J) {
      // Each walked warp stands for its stretch of the block; the stretches
      // of the first and the last warp begin and end with them.
      unsigned Low = unsigned(uint64_t(J) * WarpsPerBlock / NumWarps);
      unsigned High = unsigned(uint64_t(J + 1) * WarpsPerBlock / NumWarps);
      unsigned Warp = J + 1 == NumWarps ? High - 1
                      : J == 0          ? Low
                                        : Low + unsigned(B % (High - Low));
      PlannedWarp P;
      P.BlockIndex = Index;
      P.WarpInBlock = Warp;
      P.Class = Class;
      P.Weight = double(C.blocks()) / double(NumBlocks) * (High - Low);
      Plan.push_back(P);
    }
  }
}

std::vector<PlannedWarp> gpuocc::planWarps(Dim3 Grid, unsigned WarpsPerBlock,
                                           const GridCuts &Cuts,
                                           unsigned MaxWarps) {
  std::vector<PlannedWarp> Plan;
  std::vector<Cell> Cells = cellsOf(Cuts);
  MaxWarps = std::max(MaxWarps, 1u);
  if (Grid.count() <= MaxWarps / std::max(1u, WarpsPerBlock)) {
    // Nothing stands for anything else: each block is its own class.
    for (const Cell &C : Cells)
      planCell(C, 0, C.blocks(), WarpsPerBlock, WarpsPerBlock, Plan);
    for (size_t I = 0; I < Plan.size(); ++I)
      Plan[I].Class = uint32_t(I / WarpsPerBlock);
    return Plan;
  }
  // Each cell gets one block, the rest goes to the largest one.
  size_t Largest = 0;
  for (size_t I = 1; I < Cells.size(); ++I)
    if (Cells[I].blocks() > Cells[Largest].blocks())
      Largest = I;
  unsigned Others = unsigned(Cells.size()) - 1;
  unsigned MainWarps = std::min(WarpsPerBlock, MaxWarps);
  unsigned EdgeWarps =
      Others == 0 ? 0
                  : std::clamp((MaxWarps - MainWarps) / 2 / Others, 1u,
                               WarpsPerBlock);
  unsigned Spent = Others * EdgeWarps;
  uint64_t MainBlocks =
      std::max<uint64_t>(1, MaxWarps > Spent ? (MaxWarps - Spent) / MainWarps
                                             : 1);
  for (uint32_t I = 0; I < Cells.size(); ++I)
    planCell(Cells[I], I, I == Largest ? MainBlocks : 1,
             I == Largest ? MainWarps : EdgeWarps, WarpsPerBlock, Plan);
  return Plan;
}
