//===- LoopChangesTest.cpp - Shared loops, words that are read again ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCode.h"
#include "gpuocc/WhatIf/RereadWords.h"
#include "gpuocc/WhatIf/ShareLoop.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

uint32_t integer(Code &C, Semantics What,
                 std::initializer_list<Operand> Operands, uint8_t Bits = 32) {
  return C.add(What, InstClass::IAdd3, Operands, Bits);
}

/// Adds to \p C, at the end of its entry, a loop on itself of \p Trips turns
/// that sums up with \p Carry what lies at \p Base and each 4 bytes behind.
void addLoop(Code &C, const Operand &Base, int64_t Trips,
             Semantics Carry = Semantics::FAdd) {
  const uint32_t Before = uint32_t(C.F.Blocks.size()) - 1, Own = C.block();
  C.F.Blocks[Before].Successors = {Own};
  C.F.Blocks[Own].Loop = uint32_t(C.F.Loops.size());
  const uint32_t Count = C.add(Semantics::Phi, InstClass::Mov, {});
  const uint32_t Sum = C.add(Semantics::Phi, InstClass::Mov, {});
  const uint32_t Far = integer(C, Semantics::Shl,
                               {Operand::value(Count), Operand::immediate(2)});
  const uint32_t At =
      integer(C, Semantics::Add, {Base, Operand::value(Far)}, 64);
  const uint32_t Word = C.access(AccessKind::Load, Operand::value(At));
  C.F.Accesses.back().BytesPerLane = 4;
  const uint32_t Next = C.add(Carry, InstClass::FAdd,
                              {Operand::value(Sum), Operand::value(Word)});
  const uint32_t Then = integer(C, Semantics::Add,
                                {Operand::value(Count), Operand::immediate(1)});
  const uint32_t Test =
      C.add(Semantics::Compare, InstClass::ISetp,
            {Operand::value(Then), Operand::immediate(Trips)});
  C.F.Operations[Test].Compare = ComparePredicate::LTS;
  const uint32_t Jump = C.add(Semantics::Opaque, InstClass::Branch, {});
  C.F.Operations[Jump].NumResults = 0;
  for (uint32_t Phi : {Count, Sum}) {
    C.F.Operations[Phi].Emits.clear();
    C.F.Operations[Phi].Operands = {Operand::immediate(0),
                                    Operand::value(Phi == Count ? Then : Next)};
    C.F.Operations[Phi].PhiBlocks = {Before, Own};
  }
  gpuocc::Branch B;
  B.Op = Jump;
  B.Block = Own;
  B.Condition = Operand::value(Test);
  B.Targets = {Own, Own + 1};
  C.F.Blocks[Own].Branch = uint32_t(C.F.Branches.size());
  C.F.Blocks[Own].Successors = {Own, Own + 1};
  C.F.Branches.push_back(B);
  Loop L;
  L.Header = Own;
  L.Blocks = L.Latches = {Own};
  L.Location = Own;
  C.F.Loops.push_back(L);
  C.block();
}

/// Ends \p C, in whose loops accesses have a request each turn.
KernelVariant ended(Code &C, double Trips) {
  C.exit();
  KernelVariant V;
  V.Facts = std::move(C.F);
  V.Launched.Block = {{128, 1, 1}, "test"};
  V.Launched.Grid = Sourced<Dim3>{{64, 1, 1}, "test"};
  V.Profile.Blocks.resize(V.Facts.Blocks.size());
  for (size_t I = 0; I != V.Facts.Blocks.size(); ++I)
    V.Profile.Blocks[I] = {V.Facts.Blocks[I].Loop == NoIndex ? 1 : Trips, 1};
  V.Profile.Loops.resize(V.Facts.Loops.size());
  for (LoopProfile &L : V.Profile.Loops)
    L.TripCount = Trips;
  V.Profile.Branches.resize(V.Facts.Branches.size());
  V.Profile.Accesses.resize(V.Facts.Accesses.size());
  for (AccessProfile &P : V.Profile.Accesses) {
    P.ExecutionsPerWarp = P.RequestsPerWarp = Trips;
    P.Exact = Exactness::Exact;
  }
  return V;
}

/// in[row * \p Trips], with a row for each thread of the grid.
Operand rowOf(Code &C, int64_t Trips) {
  const Operand In = C.parameter(8);
  const Operand Thread = C.special(SpecialReg::TidX),
                Block = C.special(SpecialReg::CtaIdX),
                Width = C.special(SpecialReg::NTidX);
  const uint32_t Row = integer(C, Semantics::Mad, {Block, Width, Thread});
  const uint32_t Far =
      integer(C, Semantics::MulWideS,
              {Operand::value(Row), Operand::immediate(4 * Trips)}, 64);
  return Operand::value(
      integer(C, Semantics::Add, {In, Operand::value(Far)}, 64));
}

KernelVariant rowSum(Semantics Carry) {
  Code C;
  addLoop(C, rowOf(C, 1024), 1024, Carry);
  return ended(C, 1024);
}

TEST(SharedLoop, ThreadsTakeTurnsInASum) {
  const std::optional<SharedLoop> L = sharedLoop(rowSum(Semantics::FAdd), 0);
  ASSERT_TRUE(L);
  EXPECT_EQ(L->Values, 1024);
  EXPECT_EQ(L->Results, 1u);
  EXPECT_FALSE(L->IsRunning);
  EXPECT_EQ(L->StepBytes[0], 4);
}

TEST(SharedLoop, ThirtyTwoTimesAsManyThreadsHaveFewerTurns) {
  KernelVariant V = rowSum(Semantics::FAdd);
  const std::optional<SharedLoop> L = sharedLoop(V, 0);
  ASSERT_TRUE(L);
  V = cantFail(shareLoops({*L}, 32).Apply(std::move(V)));
  EXPECT_DOUBLE_EQ(V.Profile.Loops[0].TripCount, 32);
  EXPECT_DOUBLE_EQ(V.Profile.Blocks[1].ExecutionsPerWarp, 32);
  EXPECT_EQ(V.Launched.Grid->Value.count(), 64u * 32);
  // 32 lanes load words side by side.
  EXPECT_DOUBLE_EQ(V.Profile.Accesses[0].SectorsPerRequest, 4);
}

// What comes of an iteration decides the next.
TEST(SharedLoop, DifferencesAreInOrder) {
  EXPECT_FALSE(sharedLoop(rowSum(Semantics::FSub), 0));
}

TEST(SharedLoop, ShortLoopsAreNotShared) {
  Code C;
  addLoop(C, rowOf(C, 3), 3);
  EXPECT_FALSE(sharedLoop(ended(C, 3), 0));
}

TEST(SharedLoop, FewLanesTakeTurnsInARowOfFew) {
  Code C;
  addLoop(C, rowOf(C, 40), 40);
  KernelVariant V = ended(C, 40);
  const std::optional<SharedLoop> L = sharedLoop(V, 0);
  ASSERT_TRUE(L);
  V = cantFail(shareLoops({*L}, 16).Apply(std::move(V)));
  // Two of three turns are full.
  EXPECT_DOUBLE_EQ(V.Profile.Loops[0].TripCount, 3);
  EXPECT_EQ(V.Launched.Grid->Value.count(), 64u * 16);
  // 16 words side by side are two sectors, for each of two rows.
  EXPECT_DOUBLE_EQ(V.Profile.Accesses[0].SectorsPerRequest, 4);
}

// Three warps of four have 12 values, which 12 blocks share in one turn, one
// has 13.
TEST(SharedLoop, AMeanOfValuesIsNotRoundedUp) {
  Code C;
  addLoop(C, rowOf(C, 12), 12);
  KernelVariant V = ended(C, 12);
  std::optional<SharedLoop> L = sharedLoop(V, 0);
  ASSERT_TRUE(L);
  V.Profile.Loops[0].TripCount = L->Values = 12.25;
  const double Before = V.Profile.Blocks[1].ExecutionsPerWarp;
  V = cantFail(shareLoops({*L}, 12).Apply(std::move(V)));
  EXPECT_NEAR(V.Profile.Blocks[1].ExecutionsPerWarp / Before, 1.25 / 12.25,
              1e-9);
}

/// Two loops through a row, the second \p Behind bytes further on.
KernelVariant twoPasses(int64_t Behind) {
  Code C;
  const Operand Row = rowOf(C, 16);
  addLoop(C, Row, 16);
  const Operand Later = Operand::value(
      integer(C, Semantics::Add, {Row, Operand::immediate(Behind)}, 64));
  addLoop(C, Later, 16);
  return ended(C, 16);
}

TEST(RereadWords, TheSecondPassLoadsTheSame) {
  const std::vector<RereadWords> Found = rereadWords(twoPasses(0));
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].First, AccessList{0});
  EXPECT_EQ(Found[0].Again, AccessList{1});
  EXPECT_EQ(Found[0].Loops, 1u);
  EXPECT_EQ(Found[0].BytesOfThread, 64);
}

TEST(RereadWords, WordsFromElsewhereAreOthers) {
  EXPECT_TRUE(rereadWords(twoPasses(64)).empty());
}

TEST(RereadWords, WhatIsWrittenMayBeOther) {
  KernelVariant V = twoPasses(0);
  MemoryAccess Store = V.Facts.Accesses[1];
  Store.Kind = AccessKind::Store;
  V.Facts.Accesses.push_back(Store);
  V.Profile.Accesses.push_back(V.Profile.Accesses[1]);
  EXPECT_TRUE(rereadWords(V).empty());
}

TEST(RereadWords, KeptWordsAreLoadedOnce) {
  KernelVariant V = twoPasses(0);
  const unsigned Before = V.Facts.Resources.RegistersPerThread;
  V = cantFail(keepWords(rereadWords(V).front()).Apply(std::move(V)));
  double Requests = 0;
  for (const AccessProfile &P : V.Profile.Accesses)
    Requests += P.RequestsPerWarp;
  EXPECT_DOUBLE_EQ(Requests, 16);
  EXPECT_EQ(V.Facts.Resources.RegistersPerThread, Before + 16);
}

TEST(RereadWords, WhatL1HasIsNotWaitedFor) {
  KernelVariant V = twoPasses(0);
  V = cantFail(findAgainInL1(rereadWords(V)).Apply(std::move(V)));
  EXPECT_EQ(V.Profile.Accesses[0].L1HitFraction, 0);
  EXPECT_EQ(V.Profile.Accesses[1].L1HitFraction, 1);
  EXPECT_EQ(V.Profile.Accesses[1].L1WaitFraction, 0);
}

} // namespace
