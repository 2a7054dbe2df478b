//===- FoldLikePtxasTest.cpp - Operations that need no instruction --------===//
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

/// Straight code of sm_90.
struct Straight {
  KernelFacts Facts;

  Straight() {
    Facts.Architecture = "sm_90";
    block();
  }

  void block(uint32_t Loop = NoIndex) {
    Facts.Blocks.emplace_back();
    Facts.Blocks.back().FirstOp = uint32_t(Facts.Operations.size());
    Facts.Blocks.back().Loop = Loop;
  }

  Operand add(Semantics What, unsigned Bits,
              std::initializer_list<Emission> Emits,
              std::initializer_list<Operand> Operands = {},
              unsigned FromBits = 0) {
    Operation Op;
    Op.What = What;
    Op.Bits = uint8_t(Bits);
    Op.FromBits = uint8_t(FromBits);
    Op.Emits.assign(Emits.begin(), Emits.end());
    Op.Operands.assign(Operands.begin(), Operands.end());
    Op.Block = uint32_t(Facts.Blocks.size() - 1);
    ++Facts.Blocks.back().NumOps;
    Facts.Operations.push_back(std::move(Op));
    return Operand::value(uint32_t(Facts.Operations.size() - 1));
  }

  Operand load(MemorySpace Space, Operand Base, unsigned Bytes) {
    const Operand Out = add(Semantics::Load, 32, {InstClass::LdGlobal}, {Base});
    MemoryAccess A;
    A.Op = Out.Index;
    A.Space = Space;
    A.Base = Base;
    A.BytesPerLane = Bytes;
    Facts.Operations[Out.Index].Access = uint32_t(Facts.Accesses.size());
    Facts.Accesses.push_back(A);
    return Out;
  }

  float count(InstClass Class) const {
    float Sum = 0;
    for (const Operation &Op : Facts.Operations)
      for (const Emission &E : Op.Emits)
        Sum += E.Class == Class ? E.Count : 0;
    return Sum;
  }
};

const Emission AddOf64{InstClass::IAdd3, 2, 2};

Operand float32(float V) {
  return Operand::immediate(std::bit_cast<uint32_t>(V));
}

} // namespace

TEST(MaskLikePtxas, LoadedBytesHaveZerosAbove) {
  auto MasksOf = [](unsigned Bytes, int64_t Mask) {
    Straight R;
    const Operand P = R.add(Semantics::Param, 64, {});
    const Operand A = R.load(MemorySpace::Global, P, Bytes);
    const Operand B = R.load(MemorySpace::Global, P, Bytes);
    const Operand X = R.add(Semantics::Xor, 16, {InstClass::Lop3}, {A, B});
    const Operand Z = R.add(Semantics::ZExt, 32, {}, {X}, 16);
    R.add(Semantics::And, 32, {InstClass::Lop3}, {Z, Operand::immediate(Mask)});
    dropMasksLikePtxas(R.Facts);
    return R.count(InstClass::Lop3) - 1;
  };
  EXPECT_EQ(MasksOf(1, 255), 0);
  EXPECT_EQ(MasksOf(2, 65535), 0);
  EXPECT_EQ(MasksOf(2, 255), 1);
  EXPECT_EQ(MasksOf(1, 127), 1);
  EXPECT_EQ(MasksOf(4, 255), 1);
}

TEST(FoldLikePtxas, OneUseOfASignIsPartOfItsAddition) {
  auto ShiftsOf = [](unsigned Uses) {
    Straight R;
    const Operand P = R.add(Semantics::Param, 64, {});
    const Operand I = R.add(Semantics::SReg, 32, {InstClass::S2R});
    const Operand S =
        R.add(Semantics::SExt, 64, {InstClass::Shf}, {I}, /*FromBits=*/32);
    for (unsigned K = 0; K != Uses; ++K)
      R.add(Semantics::Add, 64, {AddOf64}, {P, S});
    foldLikePtxas(R.Facts);
    EXPECT_EQ(R.count(InstClass::IAdd3) + R.count(InstClass::Lea), 2 * Uses);
    return R.count(InstClass::Shf);
  };
  EXPECT_EQ(ShiftsOf(1), 0);
  EXPECT_EQ(ShiftsOf(2), 1);
}

TEST(FoldLikePtxas, ScaledBytesAreOneAddress) {
  auto ClassOf = [](int64_t Scale) {
    Straight R;
    const Operand P = R.add(Semantics::Param, 64, {});
    const Operand Byte = R.load(MemorySpace::Global, P, 1);
    const Operand At = R.add(Semantics::MulWideU, 32, {InstClass::IMad},
                             {Byte, Operand::immediate(Scale)}, 16);
    const Operand Array = R.add(Semantics::Param, 32, {});
    const Operand Sum =
        R.add(Semantics::Add, 32, {InstClass::IAdd3}, {Array, At});
    foldLikePtxas(R.Facts);
    EXPECT_TRUE(R.Facts.Operations[At.Index].Emits.empty());
    return R.Facts.Operations[Sum.Index].Emits[0].Class;
  };
  EXPECT_EQ(ClassOf(4), InstClass::Lea);
  EXPECT_EQ(ClassOf(12), InstClass::IMad);
}

TEST(FoldLikePtxas, ArraysInSharedMemoryAreOperandsOfAccesses) {
  auto AdditionsOf = [](MemorySpace Space, llvm::StringRef Architecture) {
    Straight R;
    R.Facts.Architecture = Architecture.str();
    const Operand I = R.add(Semantics::SReg, 32, {InstClass::S2R});
    const Operand Array = R.add(Semantics::SymbolAddress, 32, {});
    const Operand Sum =
        R.add(Semantics::Add, 32, {InstClass::IAdd3}, {Array, I});
    R.load(Space, Sum, 4);
    foldLikePtxas(R.Facts);
    return R.count(InstClass::IAdd3);
  };
  EXPECT_EQ(AdditionsOf(MemorySpace::Shared, "sm_90"), 0);
  EXPECT_EQ(AdditionsOf(MemorySpace::Global, "sm_90"), 1);
  EXPECT_EQ(AdditionsOf(MemorySpace::Shared, "sm_70"), 1);
}

TEST(FoldLikePtxas, StepsThatAreShiftedBeforeALoopAreAddedInIt) {
  auto WideOf = [](bool IsBefore) {
    Straight R;
    R.Facts.Loops.emplace_back();
    const Operand P = R.add(Semantics::Param, 64, {});
    const Operand I = R.add(Semantics::Param, 32, {});
    if (!IsBefore)
      R.block(0);
    const Operand S = R.add(Semantics::SExt, 64, {InstClass::Shf}, {I}, 32);
    const Operand By = R.add(Semantics::Shl, 64, {{InstClass::Shf, 2, 2}},
                             {S, Operand::immediate(2)});
    if (IsBefore)
      R.block(0);
    R.add(Semantics::Add, 64, {AddOf64}, {P, By});
    foldLikePtxas(R.Facts);
    return R.count(InstClass::IMadWide);
  };
  EXPECT_EQ(WideOf(false), 1);
  EXPECT_EQ(WideOf(true), 0);
}

/// Dividend / (Addend + Of(x)), and 0.5 added to that.
static Straight quotient(Operand Dividend, float Addend, Semantics Of,
                         bool HasSum = false) {
  Straight R;
  const Operand X = R.add(Semantics::Param, 32, {});
  const Operand Y = R.add(Of, 32, {}, {X});
  const Operand Sum =
      R.add(Semantics::FAdd, 32, {InstClass::FAdd}, {Y, float32(Addend)});
  const Operand Q =
      R.add(Semantics::FDiv, 32,
            {InstClass::FSetp, {InstClass::FMul, 3, 3}, InstClass::MufuRcp},
            {Dividend.isImmediate() ? Dividend : X, Sum});
  if (HasSum)
    R.add(Semantics::FAdd, 32, {InstClass::FAdd}, {Q, float32(0.5f)});
  approximateLikePtxas(R.Facts);
  return R;
}

TEST(ApproximateLikePtxas, NumbersThatAreNotSubnormalAreNotScaled) {
  const Operand Any;
  for (Semantics Of : {Semantics::FAbs, Semantics::FEx2}) {
    const Straight R = quotient(Any, 1, Of);
    EXPECT_EQ(R.count(InstClass::FMul), 1);
    EXPECT_EQ(R.count(InstClass::FSetp), 0);
  }
  EXPECT_EQ(quotient(float32(1), 1, Semantics::FEx2).count(InstClass::FMul), 0);
  EXPECT_EQ(quotient(Any, 0, Semantics::FEx2).count(InstClass::FMul), 3);
  EXPECT_EQ(quotient(Any, 1, Semantics::FSqrt).count(InstClass::FMul), 3);
}

TEST(ApproximateLikePtxas, SumsTakeTheProductOver) {
  EXPECT_EQ(
      quotient(Operand(), 1, Semantics::FAbs, true).count(InstClass::FAdd), 1);
}

TEST(ChooseLikePtxas, AScanChoosesThroughCopies) {
  // v = l < o ? v : v + w, twice; a copy hands v to the second.
  Straight R;
  const Operand P = R.add(Semantics::Param, 64, {});
  const Operand IsFirst = R.add(Semantics::Compare, 1, {InstClass::ISetp});
  Operand V = R.load(MemorySpace::Global, P, 4);
  for (unsigned Step = 0; Step != 2; ++Step) {
    const Operand W = R.add(Semantics::Opaque, 32, {InstClass::Shfl}, {V});
    const Operand Sum = R.add(Semantics::FAdd, 32, {InstClass::FAdd}, {V, W});
    const Operand Chosen =
        R.add(Semantics::Select, 32, {InstClass::Sel}, {V, Sum, IsFirst});
    V = R.add(Semantics::Copy, 32, {}, {Chosen});
  }
  chooseLikePtxas(R.Facts);
  EXPECT_EQ(R.count(InstClass::Sel), 0);
  EXPECT_EQ(R.count(InstClass::FAdd), 2);
}
