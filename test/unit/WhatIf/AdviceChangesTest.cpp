//===- AdviceChangesTest.cpp - Serial sections, CAS loops, powers ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCode.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/NativeAtomic.h"
#include "gpuocc/WhatIf/SerialSection.h"
#include "gpuocc/WhatIf/WholePower.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// if (threadIdx.x == 0) for (...) sum = Carry(sum, word), for 128 words in a
/// block of 128 threads.
KernelVariant sectionOfOne(Semantics Carry) {
  Code C;
  const Operand Shared = C.parameter(8);
  const Operand Thread = C.special(SpecialReg::TidX);
  const uint32_t Test = C.add(Semantics::Compare, InstClass::ISetp,
                              {Thread, Operand::immediate(0)});
  C.F.Operations[Test].Compare = ComparePredicate::EQ;
  const uint32_t Jump = C.add(Semantics::Opaque, InstClass::Branch, {});
  C.F.Operations[Jump].NumResults = 0;
  C.block();
  const uint32_t Phi = C.add(Semantics::Phi, InstClass::Mov, {});
  C.F.Operations[Phi].Emits.clear();
  const uint32_t Word = C.access(AccessKind::Load, Shared, MemorySpace::Shared);
  const uint32_t Sum = C.add(Carry, InstClass::FAdd,
                             {Operand::value(Phi), Operand::value(Word)});
  C.F.Operations[Phi].Operands = {Operand::immediate(0), Operand::value(Sum)};
  C.F.Operations[Phi].PhiBlocks = {0, 1};
  gpuocc::Branch B;
  B.Op = Jump;
  B.Block = 0;
  B.Condition = Operand::value(Test);
  B.Targets = {1, 2};
  C.F.Branches = {B};
  C.F.Blocks[0].Branch = 0;
  C.F.Blocks[0].Successors = {1, 2};
  C.F.Blocks[0].PostDominator = 2;
  KernelVariant V = C.loopOnItself(128);
  V.Facts.Blocks[1].PostDominator = 2;
  V.Launched.Block = {{128, 1, 1}, "test"};
  V.Profile.Branches.resize(1);
  V.Profile.Branches[0].DivergentFraction = 0.25;
  // One warp of four runs it.
  V.Profile.Blocks[1] = {32, 1.0 / 32};
  V.Profile.Accesses[0].RequestsPerWarp = 32;
  V.Profile.Accesses[0].ActiveLanes = 1;
  V.Profile.Accesses[0].L1HitFraction = 0;
  return V;
}

TEST(SerialSection, ThreadsOfTheBlockShareASum) {
  KernelVariant V = sectionOfOne(Semantics::FAdd);
  EXPECT_TRUE(isOfOneThread(V, 0));
  const std::optional<SerialSection> S = serialSection(V, 0);
  ASSERT_TRUE(S);
  EXPECT_EQ(S->Values, 128);
  EXPECT_EQ(S->Results, 1u);
  V = cantFail(shareSection(*S).Apply(std::move(V)));
  // 128 values, one for each of 128 threads.
  EXPECT_DOUBLE_EQ(V.Profile.Blocks[1].ExecutionsPerWarp, 1);
  EXPECT_DOUBLE_EQ(V.Profile.Blocks[1].ActiveLaneFraction, 1);
  EXPECT_DOUBLE_EQ(V.Profile.Accesses[0].RequestsPerWarp, 1);
  EXPECT_DOUBLE_EQ(V.Profile.Accesses[0].WavefrontsPerRequest, 1);
  EXPECT_DOUBLE_EQ(V.Profile.Loops[0].TripCount, 1);
  EXPECT_EQ(V.Profile.Branches[0].DivergentFraction, 0);
}

// Of two copies of a loop's load the first brings the sector that the other
// reads: neither brings more than its half of it, then.
TEST(SerialSection, CopiesOfALoadBringTheirSectorsOnce) {
  KernelVariant V = sectionOfOne(Semantics::FAdd);
  MemoryAccess &First = V.Facts.Accesses[0];
  First.Space = MemorySpace::Global;
  V.Facts.Operations[First.Op].Emits = {{InstClass::LdGlobal, 1, 1}};
  const std::optional<SerialSection> S = serialSection(V, 0);
  ASSERT_TRUE(S);
  const auto SectorsOf = [&](KernelVariant Of) {
    Of = cantFail(shareSection(*S).Apply(std::move(Of)));
    double Sectors = 0;
    for (const AccessProfile &P : Of.Profile.Accesses)
      Sectors +=
          P.RequestsPerWarp * P.SectorsPerRequest * (1 - P.L1HitFraction);
    return Sectors;
  };
  AccessProfile &P = V.Profile.Accesses[0];
  P.RequestsPerWarp = 256;
  P.SectorsPerRequest = 1;
  // Requests of eight words of four bytes share a sector.
  P.L1HitFraction = 7.0 / 8;
  EXPECT_DOUBLE_EQ(SectorsOf(V), 32);
  KernelVariant Two = V;
  Two.Facts.Accesses.push_back(Two.Facts.Accesses[0]);
  Two.Facts.Accesses[1].OffsetBytes = 4;
  Two.Profile.Accesses.push_back(Two.Profile.Accesses[0]);
  Two.Profile.Accesses[0].L1HitFraction = 6.0 / 8;
  Two.Profile.Accesses[1].L1HitFraction = 1;
  // Its operation stands in the same block.
  Two.Facts.Accesses[1].Op = First.Op + 1;
  Two.Facts.Operations[First.Op + 1].Access = 1;
  EXPECT_DOUBLE_EQ(SectorsOf(Two), 64);
}

// x = a - x * ... depends on the order.
TEST(SerialSection, IterationsThatDependOnEachOtherAreNotShared) {
  const KernelVariant V = sectionOfOne(Semantics::FSub);
  EXPECT_TRUE(isOfOneThread(V, 0));
  EXPECT_FALSE(serialSection(V, 0));
}

TEST(SerialSection, RowsOfABlockAreNoSingleThread) {
  KernelVariant V = sectionOfOne(Semantics::FAdd);
  V.Launched.Block = {{32, 4, 1}, "test"};
  EXPECT_FALSE(isOfOneThread(V, 0));
  EXPECT_FALSE(serialSection(V, 0));
}

/// The loop of \p C that swaps \p New into \p Word for \p Phi, which is
/// \p First before it.
KernelVariant swappedIn(Code &C, const Operand &Word, uint32_t First,
                        uint32_t Phi, uint32_t New) {
  const uint32_t Cas = C.access(AccessKind::Atomic, Word);
  C.F.Operations[Cas].What = Semantics::Load;
  C.F.Operations[Cas].NumResults = 1;
  C.F.Operations[Cas].Operands = {Word, Operand::value(Phi),
                                  Operand::value(New)};
  C.F.Operations[Cas].Emits = {{InstClass::AtomGlobal, 1, 1}};
  C.F.Accesses.back().AtomicOp = "cas";
  C.F.Operations[Phi].Operands = {Operand::value(First), Operand::value(Cas)};
  C.F.Operations[Phi].PhiBlocks = {0, 1};
  return C.loopOnItself(4);
}

/// do { seen = old; old = atomicCAS(p, seen, Update(seen, v)); } while (...)
KernelVariant swapLoop(Semantics Update) {
  Code C;
  const Operand Word = C.parameter(0);
  const uint32_t Value = C.access(AccessKind::Load, C.parameter(8));
  const uint32_t First = C.access(AccessKind::Load, Word);
  C.block();
  const uint32_t Phi = C.add(Semantics::Phi, InstClass::Mov, {});
  const uint32_t New = C.add(Update, InstClass::IAdd3,
                             {Operand::value(Phi), Operand::value(Value)});
  return swappedIn(C, Word, First, Phi, New);
}

TEST(NativeAtomic, ALoopThatAddsIsOneAtomic) {
  KernelVariant V = swapLoop(Semantics::Add);
  const std::vector<CasLoop> Loops = nativeCasLoops(V.Facts);
  ASSERT_EQ(Loops.size(), 1u);
  EXPECT_EQ(Loops[0].AtomicOp, "add");
  EXPECT_EQ(Loops[0].FirstLoad, 1u);
  EXPECT_FALSE(Loops[0].IsResultUsed);
  V = cantFail(useNativeAtomics(Loops).Apply(std::move(V)));
  EXPECT_DOUBLE_EQ(V.Profile.Blocks[1].ExecutionsPerWarp, 1);
  EXPECT_DOUBLE_EQ(V.Profile.Accesses[2].RequestsPerWarp, 1);
  EXPECT_EQ(V.Facts.Accesses[2].Kind, AccessKind::Reduction);
  EXPECT_EQ(V.Facts.Accesses[2].AtomicOp, "add");
  EXPECT_EQ(V.Profile.Accesses[1].RequestsPerWarp, 0);
}

/// The same with a load of what is added in each turn of the loop.
KernelVariant swapLoopThatLoads(bool IsSameInAllTurns) {
  Code C;
  const Operand Word = C.parameter(0), Other = C.parameter(8);
  const uint32_t First = C.access(AccessKind::Load, Word);
  C.block();
  const uint32_t Phi = C.add(Semantics::Phi, InstClass::Mov, {});
  const uint32_t Value = C.access(
      AccessKind::Load, IsSameInAllTurns ? Other : Operand::value(Phi));
  const uint32_t New = C.add(Semantics::Add, InstClass::IAdd3,
                             {Operand::value(Phi), Operand::value(Value)});
  return swappedIn(C, Word, First, Phi, New);
}

// The compiler cannot load ahead of the loop what may be the word itself.
TEST(NativeAtomic, WhatIsAddedMayBeLoadedInTheLoop) {
  KernelVariant V = swapLoopThatLoads(/*IsSameInAllTurns=*/true);
  const std::vector<CasLoop> Loops = nativeCasLoops(V.Facts);
  ASSERT_EQ(Loops.size(), 1u);
  V = cantFail(useNativeAtomics(Loops).Apply(std::move(V)));
  EXPECT_DOUBLE_EQ(V.Profile.Accesses[1].RequestsPerWarp, 1);
  EXPECT_FALSE(V.Facts.Operations[V.Facts.Accesses[1].Op].Emits.empty());
  EXPECT_EQ(V.Facts.Accesses[2].Kind, AccessKind::Reduction);
}

TEST(NativeAtomic, AnAddressThatFollowsTheWordStaysInTheLoop) {
  EXPECT_TRUE(nativeCasLoops(swapLoopThatLoads(false).Facts).empty());
}

TEST(NativeAtomic, NoAtomicMultiplies) {
  EXPECT_TRUE(nativeCasLoops(swapLoop(Semantics::Mul).Facts).empty());
}

TEST(WholePower, MultipliesBySquaring) {
  WholePower P;
  P.Exponent = 2;
  EXPECT_EQ(P.multiplications(), 1u);
  P.Exponent = 3;
  EXPECT_EQ(P.multiplications(), 2u);
  P.Exponent = 8;
  EXPECT_EQ(P.multiplications(), 3u);
  P.Exponent = 15;
  EXPECT_EQ(P.multiplications(), 6u);
}

TEST(WholePower, MultipliesByTheRoot) {
  WholePower P;
  P.HasHalf = true;
  P.Exponent = 0;
  EXPECT_EQ(P.multiplications(), 0u);
  P.Exponent = 1;
  EXPECT_EQ(P.multiplications(), 1u);
  P.Exponent = 2;
  EXPECT_EQ(P.multiplications(), 2u);
}

} // namespace
