//===- CombineLikePtxasTest.cpp - Atomics that ptxas combines -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// An atomic \p Op of \p Value at \p Base, both results of the special
/// register \p Of or immediates.
KernelFacts atomic(MemorySpace Space, AccessKind Kind, const char *Op,
                   SpecialReg AddressOf, Operand Value) {
  KernelFacts F;
  F.Blocks.emplace_back();
  F.Blocks[0].NumOps = 3;
  F.Operations.resize(3);
  F.Operations[0].What = Semantics::SReg;
  F.Operations[0].SReg = AddressOf;
  F.Operations[1].What = Semantics::SReg;
  F.Operations[1].SReg = SpecialReg::TidX;
  F.Operations[2].What = Semantics::Load;
  F.Operations[2].Opcode = "INT_PTX_ATOM_ADD_32_Gr";
  F.Operations[2].Operands = {Operand::value(0), Value};
  F.Operations[2].Access = 0;
  for (Operation &O : F.Operations)
    O.Block = 0;
  MemoryAccess A;
  A.Op = 2;
  A.Space = Space;
  A.Kind = Kind;
  A.AtomicOp = Op;
  A.Base = Operand::value(0);
  F.Accesses.push_back(A);
  return F;
}

LaneCombining combiningOf(KernelFacts F) {
  combineAtomicsLikePtxas(F);
  return F.Accesses[0].Combining;
}

const Operand One = Operand::immediate(1);
const Operand PerLane = Operand::value(1);

TEST(CombineLikePtxas, UniformAddressLetsOneLaneAct) {
  for (AccessKind K : {AccessKind::Reduction, AccessKind::Atomic})
    EXPECT_EQ(combiningOf(atomic(MemorySpace::Global, K, "add",
                                 SpecialReg::CtaIdX, One)),
              LaneCombining::OneLane);
  EXPECT_EQ(combiningOf(atomic(MemorySpace::Global, AccessKind::Reduction,
                               "max", SpecialReg::CtaIdX, PerLane)),
            LaneCombining::OneLane);
}

TEST(CombineLikePtxas, OwnAddressesAndResultsStayWithTheLanes) {
  EXPECT_EQ(combiningOf(atomic(MemorySpace::Global, AccessKind::Reduction,
                               "add", SpecialReg::TidX, One)),
            LaneCombining::None);
  EXPECT_EQ(combiningOf(atomic(MemorySpace::Global, AccessKind::Atomic, "add",
                               SpecialReg::CtaIdX, PerLane)),
            LaneCombining::None);
  EXPECT_EQ(combiningOf(atomic(MemorySpace::Global, AccessKind::Atomic, "exch",
                               SpecialReg::CtaIdX, One)),
            LaneCombining::None);
}

TEST(CombineLikePtxas, FloatsAreNotReordered) {
  KernelFacts F = atomic(MemorySpace::Global, AccessKind::Reduction, "add",
                         SpecialReg::CtaIdX, One);
  F.Accesses[0].OnFloats = true;
  EXPECT_EQ(combiningOf(std::move(F)), LaneCombining::None);
}

TEST(CombineLikePtxas, SharedMemoryCountsOnes) {
  for (SpecialReg Address : {SpecialReg::CtaIdX, SpecialReg::TidX})
    EXPECT_EQ(combiningOf(atomic(MemorySpace::Shared, AccessKind::Reduction,
                                 "add", Address, One)),
              LaneCombining::ByAddress);
  EXPECT_EQ(combiningOf(atomic(MemorySpace::Shared, AccessKind::Reduction,
                               "add", SpecialReg::TidX, PerLane)),
            LaneCombining::None);
}

TEST(CombineLikePtxas, VoteAndCountAreIssued) {
  // S2R, VOTE, FLO, ISETP and POPC around `RED.ADD 1`.
  KernelFacts F = atomic(MemorySpace::Global, AccessKind::Reduction, "add",
                         SpecialReg::CtaIdX, One);
  combineAtomicsLikePtxas(F);
  EXPECT_EQ(F.Operations[2].Emits.size(), 5u);
}

} // namespace
