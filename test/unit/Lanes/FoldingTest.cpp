//===- FoldingTest.cpp - What a common addend does to a request -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/Folding.h"
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
