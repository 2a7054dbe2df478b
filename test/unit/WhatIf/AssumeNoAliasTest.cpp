//===- AssumeNoAliasTest.cpp - What __restrict__ would save ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/AssumeNoAlias.h"
#include "KernelCode.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

constexpr double Trips = 16;

/// for (16 times) *out += *in, where both addresses are made before the loop.
KernelVariant sumInLoop() {
  Code C;
  const Operand Out = C.parameter(0), In = C.parameter(8);
  const Operand At = Operand::value(C.add(Semantics::Add, InstClass::IAdd3,
                                          {Out, Operand::immediate(64)}, 64));
  C.F.Blocks[0].Successors = {1};
  C.block();
  const uint32_t Old = C.access(AccessKind::Load, At);
  const uint32_t Load = C.access(AccessKind::Load, In);
  const Operand Sum =
      Operand::value(C.add(Semantics::FAdd, InstClass::FAdd,
                           {Operand::value(Old), Operand::value(Load)}));
  const uint32_t Store = C.access(AccessKind::Store, At);
  C.F.Operations[Store].Operands.push_back(Sum);
  C.F.Accesses.back().Stored = {Sum};
  return C.loopOnItself(Trips);
}

TEST(AssumeNoAlias, FindsTheSumAndTheLoad) {
  const KernelVariant V = sumInLoop();
  const AliasedAccesses Found = aliasedAccesses(V.Facts, V.Profile);
  ASSERT_EQ(Found.Invariant.size(), 1u);
  ASSERT_EQ(Found.Sums.size(), 1u);
  EXPECT_EQ(Found.Sums[0].Stores.size(), 1u);
  EXPECT_EQ(V.Facts.Operations[Found.Sums[0].Load].What, Semantics::Load);
  EXPECT_TRUE(Found.Repeated.empty());
}

TEST(AssumeNoAlias, MovesThemOutOfTheLoop) {
  KernelVariant V = sumInLoop();
  V = cantFail(assumeNoAlias(aliasedAccesses(V.Facts, V.Profile)).Apply(V));
  cantFail(verifyFacts(V.Facts));
  ASSERT_EQ(V.Facts.Accesses.size(), 3u);
  for (size_t I = 0; I != 3; ++I) {
    const MemoryAccess &A = V.Facts.Accesses[I];
    EXPECT_EQ(V.Facts.Operations[A.Op].Access, I);
    EXPECT_EQ(V.Facts.Operations[A.Op].Block,
              A.Kind == AccessKind::Store ? 2u : 0u);
    EXPECT_EQ(V.Profile.Accesses[I].RequestsPerWarp, 1);
  }
  // The one miss of 16 requests is the one request now.
  EXPECT_EQ(V.Profile.Accesses[0].L1HitFraction, 0);
  // The sum goes round the loop in a register.
  const Operation &First = V.Facts.Operations[V.Facts.Blocks[1].FirstOp];
  EXPECT_EQ(First.What, Semantics::Phi);
  EXPECT_EQ(First.Operands.size(), 2u);
}

TEST(AssumeNoAlias, MovesWhatIsComputedOfTheLoadWithIt) {
  Code C;
  const Operand Out = C.parameter(0), In = C.parameter(8);
  C.F.Blocks[0].Successors = {1};
  C.block();
  const Operand Load = Operand::value(C.access(AccessKind::Load, In));
  const uint32_t Root = C.add(Semantics::FSqrt, InstClass::MufuRsq, {Load});
  const uint32_t Twice = C.add(Semantics::FAdd, InstClass::FAdd,
                               {Operand::value(Root), Operand::value(Root)});
  const uint32_t Old = C.access(AccessKind::Load, Out);
  const uint32_t Sum = C.add(Semantics::FAdd, InstClass::FAdd,
                             {Operand::value(Twice), Operand::value(Old)});
  const uint32_t Store = C.access(AccessKind::Store, Out);
  C.F.Operations[Store].Operands.push_back(Operand::value(Sum));
  C.F.Accesses.back().Stored = {Operand::value(Sum)};
  KernelVariant V = C.loopOnItself(Trips);
  V = cantFail(assumeNoAlias(aliasedAccesses(V.Facts, V.Profile)).Apply(V));
  cantFail(verifyFacts(V.Facts));
  unsigned Roots = 0, Sums = 0;
  for (const Operation &Op : V.Facts.Operations) {
    Roots += Op.What == Semantics::FSqrt && Op.Block == 0;
    Sums += Op.What == Semantics::FAdd && Op.Block == 0;
  }
  EXPECT_EQ(Roots, 1u);
  // The sum with what the loop carries stays.
  EXPECT_EQ(Sums, 1u);
}

TEST(AssumeNoAlias, BarriersAndAtomicsKeepSumsInMemory) {
  KernelVariant V = sumInLoop();
  V.Facts.Accesses[2].Kind = AccessKind::Reduction;
  EXPECT_TRUE(aliasedAccesses(V.Facts, V.Profile).Sums.empty());
  V = sumInLoop();
  V.Facts.Operations[V.Facts.Blocks[1].FirstOp + 2].Emits.push_back(
      {InstClass::Barrier, 1, 1});
  EXPECT_TRUE(aliasedAccesses(V.Facts, V.Profile).Sums.empty());
}

// for (16 times) if (*in < 7) { *out = 1; if (*in < 3) ...; }
TEST(AssumeNoAlias, LoadsUnderConditionsLeaveWithThoseOfEachIteration) {
  Code C;
  const Operand Out = C.parameter(0), In = C.parameter(8);
  C.F.Blocks[0].Successors = {1};
  C.block();
  const uint32_t First = C.access(AccessKind::Load, In);
  const uint32_t IsLess =
      C.add(Semantics::Compare, InstClass::ISetp,
            {Operand::value(First), Operand::immediate(7)}, 1);
  C.F.Blocks[1].Successors = {2, 3};
  C.block();
  C.access(AccessKind::Store, Out);
  const uint32_t Again = C.access(AccessKind::Load, In);
  const uint32_t User = C.add(Semantics::Add, InstClass::IAdd3,
                              {Operand::value(Again), Operand::immediate(1)});
  C.F.Blocks[2].Successors = {3};
  C.block();
  C.add(Semantics::Copy, InstClass::Mov, {Operand::value(IsLess)}, 1);
  C.F.Blocks[3].Successors = {1, 4};
  C.block();
  C.exit();
  Loop L;
  L.Header = 1;
  L.Blocks = {1, 2, 3};
  L.Latches = {3};
  C.F.Loops = {L};
  for (uint32_t B : L.Blocks)
    C.F.Blocks[B].Loop = 0;
  KernelVariant V;
  V.Facts = std::move(C.F);
  V.Profile.Blocks = {{1, 1}, {Trips, 1}, {Trips, 0.5}, {Trips, 1}, {1, 1}};
  V.Profile.Loops.resize(1);
  V.Profile.Loops[0].TripCount = Trips;
  V.Profile.Accesses.resize(V.Facts.Accesses.size());
  const AliasedAccesses Found = aliasedAccesses(V.Facts, V.Profile);
  ASSERT_EQ(Found.Invariant.size(), 1u);
  EXPECT_EQ(Found.Invariant[0].Op, First);
  ASSERT_EQ(Found.Repeated.size(), 1u);
  EXPECT_EQ(Found.Repeated[0].First, First);
  EXPECT_EQ(Found.Repeated[0].Again, Again);
  EXPECT_TRUE(Found.HeldBack.empty());

  // Without one in each iteration, what a condition guards stays.
  V.Facts.Accesses[0].NonCoherent = true;
  const AliasedAccesses Guarded = aliasedAccesses(V.Facts, V.Profile);
  EXPECT_TRUE(Guarded.Invariant.empty());
  EXPECT_TRUE(Guarded.Repeated.empty());
  EXPECT_EQ(Guarded.HeldBack, std::vector<uint32_t>{Again});
  EXPECT_EQ(V.Facts.Operations[User].Operands[0], Operand::value(Again));
}

// __restrict__ is there already.
TEST(AssumeNoAlias, LoadsThatNothingHoldsBackStay) {
  KernelVariant V = sumInLoop();
  V.Facts.Accesses[1].NonCoherent = true;
  EXPECT_TRUE(aliasedAccesses(V.Facts, V.Profile).Invariant.empty());
}

} // namespace
