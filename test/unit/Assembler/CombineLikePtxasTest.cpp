//===- CombineLikePtxasTest.cpp - Atomics that ptxas combines -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gtest/gtest.h"
#include <tuple>

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

/// Combining of a 64-bit addition of what \p Make makes of the value.
template <typename Maker> LaneCombining combiningOfWide(Maker Make) {
  KernelFacts F = atomic(MemorySpace::Global, AccessKind::Reduction, "add",
                         SpecialReg::CtaIdX, Operand::value(1));
  F.Accesses[0].BytesPerLane = 8;
  Make(F.Operations[1], F);
  return combiningOf(std::move(F));
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

// What ptxas 13.0 does for sm_90, seen in its code.
TEST(CombineLikePtxas, WideValuesOfAWarpAreMultiplied) {
  auto IsCombined = [](auto Make) {
    return combiningOfWide(Make) == LaneCombining::OneLane;
  };
  for (SpecialReg R : {SpecialReg::Clock, SpecialReg::GlobalTimer,
                       SpecialReg::SmId, SpecialReg::WarpId})
    EXPECT_TRUE(IsCombined([R](Operation &Op, KernelFacts &) { Op.SReg = R; }));
  for (SpecialReg R : {SpecialReg::TidX, SpecialReg::LaneId})
    EXPECT_FALSE(
        IsCombined([R](Operation &Op, KernelFacts &) { Op.SReg = R; }));
  for (MemorySpace Space : {MemorySpace::Global, MemorySpace::Local})
    EXPECT_EQ(IsCombined([Space](Operation &Op, KernelFacts &F) {
                Op.What = Semantics::Load;
                Op.Operands = {Operand::value(0)};
                Op.Access = F.Accesses.size();
                MemoryAccess A;
                A.Op = 1;
                A.Space = Space;
                A.Base = Operand::value(0);
                F.Accesses.push_back(A);
              }),
              Space == MemorySpace::Global);
}

TEST(CombineLikePtxas, VotesAndWhatOneLaneHandsOutAreOfTheWarp) {
  for (auto [How, Lane, Combined] :
       {std::tuple{ShuffleKind::Idx, Operand::immediate(0), true},
        std::tuple{ShuffleKind::Idx, Operand::value(3), false},
        std::tuple{ShuffleKind::Bfly, Operand::immediate(1), false},
        std::tuple{ShuffleKind::None, Operand::immediate(0), true}}) {
    KernelFacts F = atomic(MemorySpace::Global, AccessKind::Reduction, "add",
                           SpecialReg::CtaIdX, Operand::value(1));
    F.Accesses[0].BytesPerLane = 8;
    F.Operations.emplace_back();
    F.Operations[3].What = Semantics::SReg;
    F.Operations[3].SReg = SpecialReg::TidX;
    F.Operations[3].Block = 0;
    F.Operations[1].What =
        How == ShuffleKind::None ? Semantics::Ballot : Semantics::Shuffle;
    F.Operations[1].Shuffle = How;
    F.Operations[1].Operands = {Operand::value(3), Lane};
    EXPECT_EQ(combiningOf(std::move(F)) == LaneCombining::OneLane, Combined);
  }
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
