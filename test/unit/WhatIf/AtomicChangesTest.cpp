//===- AtomicChangesTest.cpp - Atomics that are combined ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/AtomicChanges.h"
#include "KernelCode.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// 32 lanes that update words drawn from many.
AccessProfile scattered() {
  AccessProfile P;
  P.ExecutionsPerWarp = P.RequestsPerWarp = 1;
  P.DistinctAddressesPerRequest = P.SectorsPerRequest = P.SerializedPasses = 32;
  P.LinesPerRequest = 32;
  P.LanesPerAddress = 1;
  P.DrawnAddresses = 65536.0;
  P.GridSectors = 8192.0;
  return P;
}

TEST(InRuns, LanesOfARunMeetOnAWord) {
  const AccessProfile P = inRuns(scattered(), 62, 4, 62 * 8 * 100, {});
  // Every other warp begins a second run.
  EXPECT_DOUBLE_EQ(P.DistinctAddressesPerRequest, 1.5);
  // 31 of 62 begin with a whole warp of it, the others have 736 of 992.
  EXPECT_DOUBLE_EQ(P.LanesPerAddress, (31 * 32 + 736) / 62.0);
  EXPECT_DOUBLE_EQ(P.SectorsPerRequest, 1 + 2.0 / 32);
  // Eight words of four bytes are a sector.
  EXPECT_DOUBLE_EQ(*P.WaveSectors, 100);
}

TEST(InRuns, WhatTheGridReachesBoundsWhatAWaveDoes) {
  EXPECT_FALSE(bool(inRuns(scattered(), 2, 4, 1e6, {}).WaveSectors));
}

TEST(InRuns, LongRunsAreOneWord) {
  const AccessProfile P = inRuns(scattered(), 1e9, 4, 1e5, {});
  EXPECT_NEAR(P.LanesPerAddress, 32, 1e-5);
  EXPECT_NEAR(P.SerializedPasses, 32, 1e-5);
}

/// A sum of floats by an atomic of each lane, in runs of \p Run.
KernelVariant sum(double Run) {
  Code C;
  const Operand Out = C.parameter(0);
  C.access(AccessKind::Reduction, Out);
  MemoryAccess &A = C.F.Accesses.back();
  A.AtomicOp = "add";
  A.OnFloats = true;
  A.BytesPerLane = 4;
  C.exit();
  KernelVariant V;
  V.Facts = std::move(C.F);
  V.Profile.Blocks = {{1, 1}};
  V.Profile.Accesses = {inRuns(scattered(), Run, 4, 1e5, {})};
  return V;
}

double countOf(const KernelVariant &V, InstClass Class) {
  double Count = 0;
  for (const Operation &Op : V.Facts.Operations)
    for (const Emission &E : Op.Emits)
      if (E.Class == Class)
        Count += E.Count;
  return Count;
}

TEST(CombineAtomics, LanesInRunsTakeRoundsOfShuffles) {
  KernelVariant V = sum(1e9);
  V = cantFail(
      combineAtomics({{0, V.Profile.Accesses[0].LanesPerAddress, 1, true}})
          .Apply(std::move(V)));
  // The word and the number, in five rounds.
  EXPECT_EQ(countOf(V, InstClass::Shfl), 10);
  EXPECT_EQ(countOf(V, InstClass::FAdd), 5);
  EXPECT_NEAR(V.Profile.Accesses[0].ActiveLanes, 1, 1e-5);
  EXPECT_NEAR(V.Profile.Accesses[0].SerializedPasses, 1, 1e-5);
}

// Shared memory adds integers, but no floats: lanes on one word take turns to
// load it, add and swap. Of the seven other warps, each on one of 16 words, one
// in 16 is on the word and takes half of a turn, the first of four times. Each
// thread adds an eighth of a word of the block to one of the grid.
TEST(CountInBlocks, SumsOfFloatsAreRetried) {
  KernelVariant V = sum(1e9);
  V.Launched.Block = {{256, 1, 1}, "test"};
  KernelVariant OfIntegers = V;
  OfIntegers.Facts.Accesses[0].OnFloats = false;
  const double Lanes = V.Profile.Accesses[0].LanesPerAddress;
  auto Counted = [](KernelVariant Of, double InTurn = 1) {
    return cantFail(
        countInBlocks({{{0}, 16, InTurn}}, {}).Apply(std::move(Of)));
  };
  EXPECT_NEAR(countOf(Counted(V, 4), InstClass::AtomShared),
              Lanes * (1 + 0.5 * 7 / 16 / 4), 1e-3);
  V = Counted(std::move(V));
  const double Turns = Lanes * (1 + 0.5 * 7 / 16), OfBlock = 0.125;
  EXPECT_NEAR(countOf(V, InstClass::LdShared), Turns + OfBlock, 1e-3);
  EXPECT_NEAR(countOf(V, InstClass::AtomShared), Turns, 1e-3);
  EXPECT_NEAR(countOf(V, InstClass::FAdd), Turns, 1e-3);
  EXPECT_NEAR(V.Profile.Accesses[0].SerializedPasses, 3 * Turns, 1e-3);
  OfIntegers = Counted(std::move(OfIntegers));
  EXPECT_EQ(countOf(OfIntegers, InstClass::LdShared), OfBlock);
  EXPECT_EQ(countOf(OfIntegers, InstClass::AtomShared), 1);
  // Before and behind the work.
  EXPECT_EQ(countOf(OfIntegers, InstClass::Barrier), 2);
}

// Where atomics are all that a loop writes with, a load of one word need not
// stay in it.
TEST(CountInBlocks, LoadsLeaveLoopsThatWriteNothingElse) {
  Code C;
  const Operand Out = C.parameter(0), In = C.parameter(8);
  C.block();
  const uint32_t Load = C.access(AccessKind::Load, In);
  C.access(AccessKind::Reduction, Out);
  C.F.Blocks[0].Successors = {1};
  C.F.Accesses[1].AtomicOp = "add";
  KernelVariant V = C.loopOnItself(8);
  V.Launched.Block = {{256, 1, 1}, "test"};
  V = cantFail(countInBlocks({{{1}, 16, 1}}, {}).Apply(std::move(V)));
  EXPECT_EQ(V.Facts.Operations[V.Facts.Accesses[0].Op].Block, 0u);
  EXPECT_NE(Load, NoIndex);
}

TEST(CombineAtomics, LanesOnOneWordTakeNone) {
  KernelVariant V = sum(1e9);
  V = cantFail(combineAtomics({{0, 32, 1}}).Apply(std::move(V)));
  EXPECT_EQ(countOf(V, InstClass::Shfl), 0);
}

} // namespace
