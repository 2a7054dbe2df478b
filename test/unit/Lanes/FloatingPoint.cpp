//===- FloatingPoint.cpp - Bounds and indices made of floats --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gtest/gtest.h"
#include <bit>

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

ExecutionProfile profile(FactsBuilder &B) {
  return profileLanes(B.finish(), launch({4, 1, 1}, {256, 1, 1}),
                      MemoryGeometry(), LanesOptions());
}

Operand real(float V) { return Operand::immediate(std::bit_cast<uint32_t>(V)); }

Operand real64(double V) {
  return Operand::immediate(std::bit_cast<int64_t>(V));
}

/// A conversion to \p Bits.
Operand convert(FactsBuilder &B, Semantics What, Operand V, unsigned From,
                unsigned Bits = 32,
                IntegerRounding Mode = IntegerRounding::TowardZero) {
  Operand Result = B.op(What, Bits, {V});
  B.Facts.Operations.back().FromBits = uint8_t(From);
  B.Facts.Operations.back().Imm = int64_t(Mode);
  return Result;
}

Operand approximate(FactsBuilder &B, Semantics What,
                    std::vector<Operand> Operands) {
  Operand Result = B.op(What, 32, std::move(Operands));
  B.Facts.Operations.back().Imm = 1;
  return Result;
}

Operand compare(FactsBuilder &B, ComparePredicate P, Operand A, Operand V,
                unsigned Bits = 32) {
  Operand Result = B.compare(P, A, V, Bits);
  B.Facts.Operations.back().What = Semantics::FCompare;
  return Result;
}

/// Loads a[Index].
void loadAt(FactsBuilder &B, Operand A, Operand Index) {
  B.load(MemorySpace::Global, B.element(A, Index, 4), 4);
}

TEST(FloatingPoint, LogarithmBoundsALoop) {
  // for (i = 1; i <= __log2f(16); i++), as Rodinia backprop reduces.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Bound = approximate(B, Semantics::FLg2, {real(16)});
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(B.imm(1), Pre);
  loadAt(B, A, B.tidX());
  Operand Next = B.add(I, B.imm(1));
  Operand Stay = compare(B, ComparePredicate::LES,
                         convert(B, Semantics::FFromS, Next, 32), Bound);
  B.addIncoming(I, Next, Head);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
  ExecutionProfile P = profile(B);
  EXPECT_DOUBLE_EQ(P.Accesses[0].ExecutionsPerWarp, 4);
  EXPECT_DOUBLE_EQ(P.Loops[0].TripCount, 4);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
}

TEST(FloatingPoint, IndexThroughFloatIsExact) {
  // a[(int)(tid * 2.0f)]
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand X = convert(B, Semantics::FFromU, B.tidX(), 32);
  Operand Twice = B.op(Semantics::FMul, 32, {X, real(2)});
  loadAt(B, A, convert(B, Semantics::FToS, Twice, 32));
  ExecutionProfile P = profile(B);
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 8);
  EXPECT_EQ(P.Accesses[0].LaneStrideBytes, Known<int64_t>(8));
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact);
}

TEST(FloatingPoint, DoubleArithmeticAndRounding) {
  // a[(int)floor(fma(tid, 0.5, 0.25))]: two lanes share each element.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand X = convert(B, Semantics::FFromU, B.tidX(), 32, 64);
  Operand Y = B.op(Semantics::FFma, 64, {X, real64(0.5), real64(0.25)});
  Operand Down =
      convert(B, Semantics::FConvert, Y, 64, 64, IntegerRounding::Down);
  loadAt(B, A, convert(B, Semantics::FToS, Down, 64));
  ExecutionProfile P = profile(B);
  EXPECT_EQ(P.Accesses[0].DistinctAddressesPerRequest, 16);
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 2);
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact);
}

/// Lanes of the first warp for which (float)half of the bits tid * \p Step
/// + \p First is less than \p Limit.
double lanesBelow(int64_t Step, int64_t First, float Limit) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  Operand Bits = B.op(Semantics::Mad, 32,
                      {T, Operand::immediate(Step), Operand::immediate(First)});
  Operand X = convert(B, Semantics::FConvert, Bits, 16, 32);
  B.when(compare(B, ComparePredicate::LTS, X, real(Limit)),
         [&] { loadAt(B, A, T); });
  return profile(B).Branches[0].DivergentFraction * 8 *
         profile(B).Accesses[0].ActiveLanes;
}

TEST(FloatingPoint, HalvesAreNumbers) {
  // 2^-24 each from 0 on, 1 / 1024 each from 1 on, the two largest before
  // infinity and what is no number.
  EXPECT_EQ(lanesBelow(1, 0, 5.5f / 16777216), 6);
  EXPECT_EQ(lanesBelow(1, 0x3c00, 1 + 10.f / 1024), 10);
  EXPECT_EQ(lanesBelow(1, 0x7bfe, 1e6f), 2);
}

TEST(FloatingPoint, ComparisonPartsLanesExactly) {
  // if (tid * 0.25f < 2) a[tid]: lanes 0..7 of the first warp.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  Operand X = B.op(Semantics::FMul, 32,
                   {convert(B, Semantics::FFromU, T, 32), real(0.25f)});
  B.when(compare(B, ComparePredicate::LTS, X, real(2)),
         [&] { loadAt(B, A, T); });
  ExecutionProfile P = profile(B);
  EXPECT_DOUBLE_EQ(P.Branches[0].DivergentFraction, 1.0 / 8);
  EXPECT_DOUBLE_EQ(P.Accesses[0].ActiveLanes, 8);
  EXPECT_EQ(P.Branches[0].Exact, Exactness::Exact);
}

TEST(FloatingPoint, ApproximationsAreNotCalledExact) {
  // a[(int)__sinf(tid)]: the last bits are the hardware's.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand X = convert(B, Semantics::FFromU, B.tidX(), 32);
  loadAt(B, A,
         convert(B, Semantics::FToS, approximate(B, Semantics::FSin, {X}), 32));
  ExecutionProfile P = profile(B);
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Assumed);
  EXPECT_EQ(P.Accesses[0].Reason, "depends on an approximate function");
}

TEST(FloatingPoint, LoadedValuesStayDataDependent) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand V = B.load(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  Operand Y = B.op(Semantics::FMul, 32, {V, real(2)});
  B.when(compare(B, ComparePredicate::GTS, Y, real(1)),
         [&] { loadAt(B, A, B.tidX()); });
  ExecutionProfile P = profile(B);
  EXPECT_EQ(P.Branches[0].Class, BranchClass::DataDependent);
  EXPECT_EQ(P.Branches[0].Exact, Exactness::DataDependent);
}

TEST(FloatingPoint, ArgumentIsUsedOrAssumed) {
  // if (x < 3) a[tid]
  auto Build = [](FactsBuilder &B) {
    Operand A = B.pointer("a");
    Operand X = B.integer("x");
    B.Facts.Parameters[1].IsFloat = true;
    B.when(compare(B, ComparePredicate::LTS, X, real(3)),
           [&] { loadAt(B, A, B.tidX()); });
  };
  FactsBuilder Given, Assumed;
  Build(Given);
  Launch L = launch({4, 1, 1}, {256, 1, 1});
  L.Arguments[1] = {ScalarArgument{0, 3.5, true}, "test"};
  ExecutionProfile P =
      profileLanes(Given.finish(), L, MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].ExecutionsPerWarp, 0);
  Build(Assumed);
  P = profile(Assumed);
  EXPECT_EQ(P.Accesses[0].ExecutionsPerWarp, 1);
  ASSERT_EQ(P.Assumptions.size(), 1u);
  EXPECT_EQ(P.Assumptions[0].What, "argument x");
  EXPECT_EQ(P.Assumptions[0].Taken, "1");
}

} // namespace
