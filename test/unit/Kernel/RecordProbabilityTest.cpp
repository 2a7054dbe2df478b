//===- RecordProbabilityTest.cpp - How often a value beats those before it ===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/RecordProbability.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// `Kept = *Place; while (Value > Kept && CAS(...) != Kept)`: block 0 loads and
/// asks, block 1 swaps and asks again, block 2 is behind.
KernelFacts keepsTheGreatest(ComparePredicate Predicate) {
  KernelFacts Facts;
  auto Add = [&](uint32_t Block, Semantics What,
                 std::initializer_list<Operand> Operands) {
    Operation Op;
    Op.What = What;
    Op.Operands.assign(Operands);
    Op.Block = Block;
    Op.Compare = Predicate;
    Facts.Operations.push_back(Op);
    return uint32_t(Facts.Operations.size() - 1);
  };
  auto Access = [&](uint32_t Op, AccessKind Kind, Operand Base) {
    MemoryAccess A;
    A.Op = Op;
    A.Kind = Kind;
    A.Base = Base;
    A.AtomicOp = Kind == AccessKind::Atomic ? "cas" : "";
    Facts.Operations[Op].Access = uint32_t(Facts.Accesses.size());
    Facts.Accesses.push_back(A);
  };
  const Operand Place = Operand::value(Add(0, Semantics::Param, {}));
  const Operand Value = Operand::value(Add(0, Semantics::Param, {}));
  const uint32_t Kept = Add(0, Semantics::Load, {Place});
  Access(Kept, AccessKind::Load, Place);
  const uint32_t First =
      Add(0, Semantics::Compare, {Value, Operand::value(Kept)});
  const uint32_t Swap = Add(1, Semantics::Load, {Place});
  Access(Swap, AccessKind::Atomic, Place);
  const uint32_t Again =
      Add(1, Semantics::Compare, {Value, Operand::value(Swap)});
  Facts.Blocks.resize(3);
  Facts.Blocks[0].Successors = {1, 2};
  Facts.Blocks[1].Successors = {2, 1};
  Facts.Blocks[0].PostDominator = Facts.Blocks[1].PostDominator = 2;
  for (uint32_t Block : {0u, 1u}) {
    Branch B;
    B.Block = Block;
    B.Condition = Operand::value(Block == 0 ? First : Again);
    B.Targets = Facts.Blocks[Block].Successors;
    Facts.Blocks[Block].Branch = Block;
    Facts.Branches.push_back(B);
  }
  return Facts;
}

TEST(RecordProbability, FewValuesBeatThoseBeforeThem) {
  KernelFacts Facts = keepsTheGreatest(ComparePredicate::GTS);
  findRecords(Facts);
  // H(2048) / 2048, to the swap and back to it.
  EXPECT_NEAR(Facts.Branches[0].TakenPrior, 0.004, 0.0005);
  EXPECT_NEAR(Facts.Branches[1].TakenPrior, 0.996, 0.0005);
  EXPECT_FALSE(Facts.Branches[0].PriorReason.empty());
  EXPECT_EQ(Facts.Branches[0].PriorBy, Mechanism::RecordProbability);
}

TEST(RecordProbability, EqualityIsNoRecord) {
  KernelFacts Facts = keepsTheGreatest(ComparePredicate::EQ);
  findRecords(Facts);
  EXPECT_EQ(Facts.Branches[0].TakenPrior, 0.5);
}

TEST(RecordProbability, AnotherPlaceIsNoRecord) {
  KernelFacts Facts = keepsTheGreatest(ComparePredicate::LTU);
  Facts.Accesses[0].OffsetBytes = 8;
  findRecords(Facts);
  EXPECT_EQ(Facts.Branches[0].TakenPrior, 0.5);
  EXPECT_NE(Facts.Branches[1].TakenPrior, 0.5);
}

} // namespace
