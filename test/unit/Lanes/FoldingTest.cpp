//===- FoldingTest.cpp - What a common addend does to a request -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Folding.h"
#include "gpuocc/Kernel/ClusterAddresses.h"
#include "gpuocc/Lanes/WalkedLaunch.h"
#include "gtest/gtest.h"
#include <random>

using namespace gpuocc;

namespace {

/// A request of \p Random lanes, widths and places.
RequestAddresses randomRequest(std::mt19937 &Random) {
  RequestAddresses R;
  R.Active = LaneMask(Random() | 1);
  R.BytesPerLane = 1U << Random() % 5;
  const uint64_t Base = (uint64_t(1) << 40) + uint64_t(Random() % 4096) * 16;
  const unsigned Stride = Random() % 3;
  for (unsigned L = 0; L < WarpLanes; ++L)
    R.Address[L] = Base + uint64_t(Stride < 2 ? Stride * L : Random() % 1000) *
                              R.BytesPerLane;
  return R;
}

/// addendEffect() as it is defined: each shift is folded.
AddendEffect foldEachShift(const RequestAddresses &R, MemorySpace Space,
                           const RequestCost &Cost, unsigned AlignLog2,
                           const MemoryGeometry &G) {
  AddendEffect E{Cost.Sectors, Cost.Sectors, Cost.Wavefronts, Cost.Wavefronts};
  const uint64_t Step =
      std::max<uint64_t>(uint64_t(1) << AlignLog2, R.BytesPerLane);
  for (uint64_t Shift = Step; Shift < G.LineBytes; Shift += Step) {
    RequestAddresses Moved = R;
    for (uint64_t &Address : Moved.Address)
      Address += Shift;
    const RequestCost C = foldRequest(Moved, Space, G);
    E.Matters |= C != Cost;
    E.LeastSectors = std::min(E.LeastSectors, C.Sectors);
    E.MostSectors = std::max(E.MostSectors, C.Sectors);
    E.LeastWavefronts = std::min(E.LeastWavefronts, C.Wavefronts);
    E.MostWavefronts = std::max(E.MostWavefronts, C.Wavefronts);
  }
  return E;
}

/// Packets for lanes \p BytesApart in the shared memory of the next block.
double packets(unsigned BytesApart, bool IsStore, bool IsAtomic,
               uint64_t Rank = 1) {
  RequestAddresses R;
  R.Active = ~LaneMask(0);
  R.IsStore = IsStore;
  R.IsAtomic = IsAtomic;
  for (unsigned L = 0; L < WarpLanes; ++L)
    R.Address[L] = (uint64_t(1) << ObjectWindowLog2) +
                   (Rank << ClusterRankLog2) + uint64_t(L) * BytesApart;
  return foldRequest(R, MemorySpace::Shared, MemoryGeometry())
      .OtherBlocksSectors;
}

TEST(Folding, CountsPacketsToOtherBlocks) {
  const auto Load = [](unsigned Apart) { return packets(Apart, false, false); };
  const auto Store = [](unsigned Apart) { return packets(Apart, true, false); };
  const auto Atomic = [](unsigned Apart) {
    return packets(Apart, false, true);
  };
  EXPECT_EQ(Load(0), 1);
  EXPECT_EQ(Load(4), 4);
  EXPECT_EQ(Load(8), 8);
  EXPECT_EQ(Load(36), 32);
  EXPECT_EQ(Store(4), 4);
  EXPECT_EQ(Store(8), 16);
  EXPECT_EQ(Store(16), 32);
  EXPECT_EQ(Store(36), 32);
  EXPECT_EQ(Atomic(0), 32);
  EXPECT_EQ(Atomic(4), 4);
  EXPECT_EQ(Atomic(36), 32);
  EXPECT_EQ(packets(36, false, true, 0), 0);
}

/// Of lanes in turns over \p NumBlocks other blocks.
RequestCost turnsOverBlocks(unsigned BytesApart, unsigned NumBlocks,
                            bool IsStore = false) {
  RequestAddresses R;
  R.Active = ~LaneMask(0);
  R.IsStore = IsStore;
  for (unsigned L = 0; L < WarpLanes; ++L)
    R.Address[L] = (uint64_t(1) << ObjectWindowLog2) +
                   (uint64_t(L % NumBlocks + 1) << ClusterRankLog2) +
                   uint64_t(L) * BytesApart;
  return foldRequest(R, MemorySpace::Shared, MemoryGeometry());
}

TEST(Folding, CountsLinesOfEachOtherBlock) {
  EXPECT_EQ(turnsOverBlocks(4, 1).OtherBlocksLines, 1);
  EXPECT_EQ(turnsOverBlocks(36, 1).OtherBlocksLines, 9);
  EXPECT_EQ(turnsOverBlocks(4, 3).OtherBlocksLines, 3);
  EXPECT_EQ(turnsOverBlocks(4, 3).OtherBlocksSectors, 12);
  EXPECT_EQ(turnsOverBlocks(4, 7).OtherBlocksLines, 7);
  EXPECT_EQ(turnsOverBlocks(36, 7).OtherBlocksSectors, 32);
  EXPECT_GT(turnsOverBlocks(36, 7).OtherBlocksLines, 27);
  // Only loads bring lines back.
  EXPECT_EQ(turnsOverBlocks(36, 7, /*IsStore=*/true).OtherBlocksLines, 0);
}

TEST(Folding, RemembersWhoseLanesTheyAre) {
  FoldMemo Memo;
  RequestAddresses Own;
  Own.Active = ~LaneMask(0);
  for (unsigned L = 0; L < WarpLanes; ++L)
    Own.Address[L] = (uint64_t(1) << ObjectWindowLog2) + L * 4;
  RequestAddresses Away = Own;
  for (uint64_t &A : Away.Address)
    A += uint64_t(1) << ClusterRankLog2;
  const MemoryGeometry G;
  EXPECT_EQ(Memo.fold(Own, MemorySpace::Shared, G).OtherBlocksSectors, 0);
  EXPECT_EQ(Memo.fold(Away, MemorySpace::Shared, G).OtherBlocksSectors, 4);
}

TEST(Folding, AddendsAreThoseOfEachShift) {
  std::mt19937 Random(1);
  MemoryGeometry G;
  for (unsigned I = 0; I < 2000; ++I) {
    SCOPED_TRACE(I);
    G.TagBankMasks = {};
    if (I % 2)
      G.TagBankMasks = {0x155, 0x2aa};
    const MemorySpace Space =
        I % 4 < 2 ? MemorySpace::Global : MemorySpace::Local;
    const RequestAddresses R = randomRequest(Random);
    const unsigned AlignLog2 = Random() % 5;
    const RequestCost Cost = foldRequest(R, Space, G);
    const AddendEffect E = addendEffect(R, Space, Cost, AlignLog2, G);
    const AddendEffect Each = foldEachShift(R, Space, Cost, AlignLog2, G);
    EXPECT_EQ(E.Matters, Each.Matters);
    EXPECT_EQ(E.LeastSectors, Each.LeastSectors);
    EXPECT_EQ(E.MostSectors, Each.MostSectors);
    EXPECT_EQ(E.LeastWavefronts, Each.LeastWavefronts);
    EXPECT_EQ(E.MostWavefronts, Each.MostWavefronts);
  }
}

} // namespace
