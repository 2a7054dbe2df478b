//===- GatherLikePtxasTest.cpp - Where products want their operands -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// A block of operations that are added one by one.
struct ProductCode {
  KernelFacts F;

  ProductCode() { F.Blocks.emplace_back(); }

  uint32_t add(InstClass Class, unsigned NumResults,
               llvm::ArrayRef<Operand> Operands = {}) {
    Operation Op;
    Op.Emits = {{Class, 1, 1}};
    Op.NumResults = uint8_t(NumResults);
    Op.Operands.assign(Operands.begin(), Operands.end());
    Op.Block = 0;
    F.Operations.push_back(Op);
    F.Blocks[0].NumOps = uint32_t(F.Operations.size());
    return F.Blocks[0].NumOps - 1;
  }

  /// A product of \p A, the four results of an operation, with \p B0 and \p B1.
  uint32_t product(uint32_t A, Operand B0, Operand B1) {
    const uint32_t I =
        add(InstClass::MmaF16K16, 4,
            {Operand::value(A, 0), Operand::value(A, 1), Operand::value(A, 2),
             Operand::value(A, 3), B0, B1});
    F.Operations[I].Tuples = {4, 2};
    return I;
  }

  float moves(uint32_t Op) const {
    float Sum = 0;
    for (const Emission &E : F.Operations[Op].Emits)
      if (E.Class == InstClass::Mov)
        Sum += E.Count;
    return Sum;
  }
};

TEST(GatherLikePtxas, HalvesOfALoadAreMovedForEachProduct) {
  ProductCode B;
  const uint32_t A = B.add(InstClass::LdMatrix, 4),
                 L = B.add(InstClass::LdMatrix, 4);
  auto R = [&](unsigned I) { return Operand::value(L, uint16_t(I)); };
  const uint32_t Apart = B.product(A, R(0), R(2)),
                 Again = B.product(A, R(0), R(2)),
                 Other = B.product(A, R(1), R(3)),
                 Neighbors = B.product(A, R(2), R(3)),
                 Unaligned = B.product(A, R(1), R(2));
  gatherTuplesLikePtxas(B.F);
  EXPECT_EQ(B.moves(Apart), 2);
  EXPECT_EQ(B.moves(Again), 0) << "the product before reads the same pair";
  EXPECT_EQ(B.moves(Other), 2);
  EXPECT_EQ(B.moves(Neighbors), 0);
  EXPECT_EQ(B.moves(Unaligned), 2) << "pairs begin at even registers";
}

TEST(GatherLikePtxas, AValueIsComputedWhereItIsReadFirst) {
  ProductCode B;
  const uint32_t A = B.add(InstClass::LdMatrix, 4),
                 X = B.add(InstClass::HMul2, 1), Y = B.add(InstClass::HMul2, 1);
  const uint32_t Pair = B.product(A, Operand::value(X), Operand::value(Y)),
                 Turned = B.product(A, Operand::value(Y), Operand::value(X)),
                 Z = B.add(InstClass::HMul2, 1),
                 Twice = B.product(A, Operand::value(Z), Operand::value(Z));
  gatherTuplesLikePtxas(B.F);
  EXPECT_EQ(B.moves(Pair), 0);
  EXPECT_EQ(B.moves(Turned), 2);
  EXPECT_EQ(B.moves(Twice), 1);
}

TEST(GatherLikePtxas, CopiesAreSeenThrough) {
  ProductCode B;
  const uint32_t A = B.add(InstClass::LdMatrix, 4),
                 L = B.add(InstClass::LdMatrix, 4);
  auto Copy = [&](unsigned Result) {
    const uint32_t C =
        B.add(InstClass::Mov, 1, {Operand::value(L, uint16_t(Result))});
    B.F.Operations[C].Emits.clear();
    B.F.Operations[C].What = Semantics::Copy;
    return Operand::value(C);
  };
  const Operand C0 = Copy(0), C1 = Copy(1), C2 = Copy(2);
  const uint32_t Neighbors = B.product(A, C0, C1), Apart = B.product(A, C0, C2);
  gatherTuplesLikePtxas(B.F);
  EXPECT_EQ(B.moves(Neighbors), 0);
  EXPECT_EQ(B.moves(Apart), 2);
}

/// A product of warp groups with two descriptors, of the thread and of the
/// block.
TEST(GatherLikePtxas, DescriptorsGoToUniformRegisters) {
  ProductCode B;
  const uint32_t T = B.add(InstClass::S2R, 1), C = B.add(InstClass::S2R, 1);
  for (auto [Op, R] :
       {std::pair(T, SpecialReg::TidX), std::pair(C, SpecialReg::CtaIdX)}) {
    B.F.Operations[Op].What = Semantics::SReg;
    B.F.Operations[Op].SReg = R;
    B.F.Operations[Op].Bits = 64;
  }
  const uint32_t P =
      B.add(InstClass::WgmmaN128, 1, {Operand::value(T), Operand::value(C)});
  B.F.Operations[P].Opcode = "wgmma.mma_async";
  B.F.Operations[P].Tuples = {1, 1};
  gatherTuplesLikePtxas(B.F);
  float FromLanes = 0, FromUniform = 0;
  for (const Emission &E : B.F.Operations[P].Emits) {
    FromLanes += E.Class == InstClass::R2UR ? E.Count : 0;
    FromUniform += E.Class == InstClass::UInt ? E.Count : 0;
  }
  EXPECT_EQ(FromLanes, 2);
  EXPECT_EQ(FromUniform, 2);
  EXPECT_EQ(B.moves(P), 1) << "the constant half";
}

TEST(GuardLikePtxas, LoadsThatNoLaneDoesStandBeforeTheFirstCopy) {
  for (const auto &[Architecture, Count] :
       {std::pair("sm_80", 0.f), std::pair("sm_90", 3.f)}) {
    ProductCode B;
    B.F.Architecture = Architecture;
    for (unsigned I = 0; I != 2; ++I) {
      B.F.Operations[B.add(InstClass::CpAsync, 0)].Access = I;
      MemoryAccess A;
      A.Op = I;
      A.Kind = AccessKind::AsyncCopy;
      B.F.Accesses.push_back(A);
    }
    guardCopiesLikePtxas(B.F);
    for (unsigned I = 0; I != 2; ++I) {
      float Loads = 0;
      for (const Emission &E : B.F.Operations[I].Emits)
        Loads += E.Class == InstClass::Nop ? E.Count : 0;
      EXPECT_EQ(Loads, I == 0 ? Count : 0) << Architecture;
    }
  }
}

} // namespace
