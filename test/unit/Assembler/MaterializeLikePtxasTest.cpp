//===- MaterializeLikePtxasTest.cpp - Constants that need registers -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"
#include <bit>

using namespace gpuocc;

namespace {

constexpr double Long = 0.1, OtherLong = 0.2, Short = 1.5;

/// Operations in a row.
struct Row {
  KernelFacts Facts;

  Row() { block(); }

  void block() {
    Facts.Blocks.emplace_back();
    Facts.Blocks.back().FirstOp = uint32_t(Facts.Operations.size());
  }

  Operand add(Semantics What, unsigned Bits, InstClass Class,
              std::initializer_list<Operand> Operands) {
    Operation Op;
    Op.What = What;
    Op.Bits = uint8_t(Bits);
    Op.Emits.push_back({Class, 1, 1});
    Op.Operands.assign(Operands.begin(), Operands.end());
    Op.Block = uint32_t(Facts.Blocks.size() - 1);
    ++Facts.Blocks.back().NumOps;
    Facts.Operations.push_back(std::move(Op));
    return Operand::value(uint32_t(Facts.Operations.size() - 1));
  }

  Operand dfma(Operand B, Operand C) {
    return add(Semantics::FFma, 64, InstClass::DFma, {Operand::value(0), B, C});
  }

  float count(InstClass Class) {
    float Sum = 0;
    for (const Operation &Op : Facts.Operations)
      for (const Emission &E : Op.Emits)
        Sum += E.Class == Class ? E.Count : 0;
    return Sum;
  }
};

Operand real(double V) { return Operand::immediate(std::bit_cast<int64_t>(V)); }

Operand real32(float V) {
  return Operand::immediate(std::bit_cast<uint32_t>(V));
}

TEST(Materialize, DoublesNeedRegistersUnlessTheirLowerHalfIsZero) {
  Row R;
  R.dfma(Operand::value(0), real(Short));
  materializeConstantsLikePtxas(R.Facts);
  EXPECT_EQ(R.count(InstClass::UInt), 0);
  R.dfma(Operand::value(0), real(Long));
  materializeConstantsLikePtxas(R.Facts);
  EXPECT_EQ(R.count(InstClass::UInt), 2);
  EXPECT_EQ(R.count(InstClass::Mov), 0);
}

TEST(Materialize, OneOfTwoIsInUniformRegisters) {
  Row R;
  R.dfma(real(Long), real(OtherLong));
  materializeConstantsLikePtxas(R.Facts);
  EXPECT_EQ(R.count(InstClass::UInt), 2);
  EXPECT_EQ(R.count(InstClass::Mov), 2);
}

TEST(Materialize, OnceWhereTheyAreReadFirst) {
  // 0 goes to 1 or 2, which meet in 3.
  Row R;
  R.dfma(Operand::value(0), real(Long));
  R.dfma(Operand::value(0), real(Long));
  R.Facts.Blocks[0].Successors = {1, 2};
  for (uint32_t Side : {1, 2}) {
    R.block();
    R.dfma(real(Long), real(OtherLong));
    R.Facts.Blocks[Side].Successors = {3};
  }
  R.block();
  R.dfma(Operand::value(0), real(Long));
  materializeConstantsLikePtxas(R.Facts);
  EXPECT_EQ(R.count(InstClass::UInt), 2);
  // No side leads to the other.
  EXPECT_EQ(R.count(InstClass::Mov), 4);
}

/// A loop with \p NumDoubles constants in double precision and \p NumFloats in
/// single, and a load if it \p Loads.
Row loop(unsigned NumDoubles, unsigned NumFloats, bool Loads) {
  Row R;
  R.Facts.Loops.emplace_back();
  R.Facts.Loops[0].Blocks = {0};
  R.Facts.Blocks[0].Loop = 0;
  if (Loads) {
    R.Facts.Accesses.emplace_back();
    R.Facts.Accesses[0].Op = 0;
    R.add(Semantics::Load, 64, InstClass::LdGlobal, {});
  }
  for (unsigned I = 0; I != NumDoubles; ++I)
    R.dfma(Operand::value(0), real(Long + I));
  for (unsigned I = 0; I != NumFloats; ++I)
    R.add(Semantics::FFma, 32, InstClass::FFma,
          {Operand::value(0), real32(0.1f + float(I)), real32(3)});
  return R;
}

float movesIn(Row R) {
  materializeConstantsLikePtxas(R.Facts);
  return R.count(InstClass::UInt) + R.count(InstClass::Mov);
}

TEST(Materialize, FewAreWrittenBeforeLoopsThatLoadNothing) {
  EXPECT_EQ(movesIn(loop(4, 0, false)), 0);
  EXPECT_EQ(movesIn(loop(5, 0, false)), 10);
  EXPECT_EQ(movesIn(loop(0, 7, false)), 0);
  EXPECT_EQ(movesIn(loop(0, 8, false)), 8);
  EXPECT_EQ(movesIn(loop(1, 0, true)), 2);
}

TEST(Materialize, StoresReadRegisters) {
  for (auto [Constant, Moves] : {std::pair(-1, 1), {0, 0}}) {
    Row R;
    for (unsigned I = 0; I != 2; ++I) {
      R.add(Semantics::Opaque, 32, InstClass::StGlobal, {});
      R.Facts.Operations.back().Access = I;
      MemoryAccess A;
      A.Op = I;
      A.Kind = AccessKind::Store;
      A.Stored.push_back(Operand::immediate(Constant));
      R.Facts.Accesses.push_back(A);
    }
    // Both read the same one.
    EXPECT_EQ(movesIn(std::move(R)), Moves);
  }
}

TEST(Materialize, CopiesOfABodyShareThem) {
  Row R = loop(1, 0, true);
  R.Facts.Loops[0].UnrolledBy = 4;
  EXPECT_EQ(movesIn(std::move(R)), 0.5);
}

TEST(Materialize, MovesThatOnlyArithmeticReadsAreNone) {
  Row R;
  Operand C = R.add(Semantics::Copy, 64, InstClass::Mov, {real(Short)});
  R.dfma(Operand::value(0), C);
  materializeConstantsLikePtxas(R.Facts);
  EXPECT_EQ(R.count(InstClass::Mov), 0);
  // A phi needs it in a register.
  Operand D = R.add(Semantics::Copy, 64, InstClass::Mov, {real(Short)});
  R.add(Semantics::Phi, 64, InstClass::Unknown, {D});
  materializeConstantsLikePtxas(R.Facts);
  EXPECT_EQ(R.count(InstClass::Mov), 1);
}

TEST(Materialize, OfTwoFloatsOneIsInTheInstruction) {
  Row R;
  auto Ffma = [&](Operand Factor, Operand Addend) {
    R.add(Semantics::FFma, 32, InstClass::FFma,
          {Operand::value(0), Factor, Addend});
  };
  Ffma(real32(3), Operand::value(0));
  Ffma(Operand::value(0), real32(3));
  Ffma(real32(3), real32(0));
  materializeConstantsLikePtxas(R.Facts);
  EXPECT_EQ(R.count(InstClass::Mov), 0);
  Ffma(real32(3), real32(5));
  Ffma(real32(3), real32(7));
  materializeConstantsLikePtxas(R.Facts);
  EXPECT_EQ(R.count(InstClass::Mov), 1);
}

} // namespace

TEST(MaterializeLikePtxas, OneOfTwoConstantsIsInARegister) {
  auto MovesOf = [](Operand First, Operand Second) {
    Row R;
    const Operand P = R.add(Semantics::Param, 1, InstClass::ISetp, {});
    R.add(Semantics::Select, 32, InstClass::Sel, {First, Second, P});
    materializeConstantsLikePtxas(R.Facts);
    return R.count(InstClass::Mov);
  };
  const Operand Value = Operand::value(0);
  EXPECT_EQ(MovesOf(real32(2), real32(3)), 1);
  EXPECT_EQ(MovesOf(real32(2), real32(0)), 0);
  EXPECT_EQ(MovesOf(Value, real32(3)), 0);
}
