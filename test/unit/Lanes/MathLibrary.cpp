//===- MathLibrary.cpp - Functions whose arguments are drawn --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <bit>

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

constexpr const char *Wrappers =
    "/usr/lib/clang/22/include/__clang_cuda_math.h";

/// Numbers of \p Bits bits as operands.
Operand real(double V, unsigned Bits) {
  return Operand::immediate(Bits == 64
                                ? std::bit_cast<int64_t>(V)
                                : int64_t(std::bit_cast<uint32_t>(float(V))));
}

Operand compare(FactsBuilder &B, ComparePredicate P, Operand A, Operand V,
                unsigned Bits) {
  Operand Result = B.compare(P, A, V, Bits);
  B.Facts.Operations.back().What = Semantics::FCompare;
  return Result;
}

/// `if (Condition(a[tid] + 1)) b[tid] = ...` with numbers of \p Bits bits; the
/// share of all lanes that store. The condition and its branch are in \p File.
template <typename MakeCondition>
double storesIf(unsigned Bits, const char *File, MakeCondition Condition,
                const LanesOptions &Options = {}) {
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.globalX();
  Operand V = B.load(MemorySpace::Global, B.element(A, T, Bits / 8), Bits / 8);
  Operand Argument = B.op(Semantics::FAdd, uint8_t(Bits), {V, real(1, Bits)});
  const size_t First = B.Facts.Operations.size();
  Operand Holds = Condition(B, Argument);
  const size_t End = B.Facts.Operations.size();
  B.when(Holds, [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  KernelFacts F = B.finish();
  F.Locations.edit().resize(1);
  F.Locations.edit()[0].Places = {{File, 235, 1, "powf"}, {"a.cu", 7, 1, "k"}};
  F.Branches[0].Op = Holds.Index;
  for (size_t I = First; I != End; ++I)
    F.Operations[I].Location = 0;
  ExecutionProfile P = profileLanes(F, launch({64, 1, 1}, {256, 1, 1}),
                                    MemoryGeometry(), Options);
  EXPECT_EQ(P.Branches[0].Class, BranchClass::DataDependent);
  EXPECT_EQ(llvm::any_of(P.Assumptions,
                         [](const Assumption &A) {
                           return A.GuessedBy == "math-arguments";
                         }),
            llvm::StringRef(File) == Wrappers &&
                Options.Used.has(Mechanism::MathArguments));
  return P.Accesses[1].ExecutionsPerWarp * P.Accesses[1].ActiveLanes / 32;
}

TEST(MathLibrary, SpecialValuesDoNotCome) {
  auto IsOne = [](FactsBuilder &B, Operand V) {
    return compare(B, ComparePredicate::EQ, V, real(1, 32), 32);
  };
  EXPECT_EQ(storesIf(32, Wrappers, IsOne), 0);
  // A program may well ask for others.
  auto IsBelowOne = [](FactsBuilder &B, Operand V) {
    return compare(B, ComparePredicate::LTS, V, real(1, 32), 32);
  };
  EXPECT_EQ(storesIf(32, Wrappers, IsBelowOne), 1);
  EXPECT_NEAR(storesIf(32, "a.cu", IsBelowOne), 0.5, 0.1);
}

TEST(MathLibrary, RangesAreMetAsOftenAsTheirSize) {
  auto IsSmall = [](FactsBuilder &B, Operand V) {
    return compare(B, ComparePredicate::LTS, V, real(0.25, 32), 32);
  };
  EXPECT_NEAR(storesIf(32, Wrappers, IsSmall), 0.25, 0.01);
  EXPECT_NEAR(storesIf(32, "a.cu", IsSmall), 0.5, 0.1);
}

TEST(MathLibrary, WithoutTheGuessBranchesAreThoseOfAProgram) {
  auto IsSmall = [](FactsBuilder &B, Operand V) {
    return compare(B, ComparePredicate::LTS, V, real(0.25, 32), 32);
  };
  LanesOptions Without;
  Without.Used.leaveOut(Mechanism::MathArguments);
  EXPECT_NEAR(storesIf(32, Wrappers, IsSmall, Without), 0.5, 0.1);
}

TEST(MathLibrary, DoublesAreAskedByTheirUpperHalf) {
  // exp: is the magnitude of the upper word, read as a float, under that of
  // the upper word of 708?
  auto IsInRange = [](FactsBuilder &B, Operand V) {
    Operand Positive = compare(B, ComparePredicate::GTS, V, real(0, 64), 64);
    Operand High = B.op(Semantics::High, 32, {V});
    B.Facts.Operations.back().FromBits = 64;
    Operand Magnitude = B.op(Semantics::FAbs, 32, {High});
    Operand Less =
        compare(B, ComparePredicate::LTS, Magnitude, real(4.1917929, 32), 32);
    return B.op(Semantics::And, 1, {Positive, Less});
  };
  EXPECT_EQ(storesIf(64, Wrappers, IsInRange), 1);
}

TEST(MathLibrary, ResultsAreLoadedDataAgain) {
  // if (f(a[tid]) < 0.25) in the program, f a function with a branch.
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.globalX();
  Operand V = B.load(MemorySpace::Global, B.element(A, T, 4), 4);
  Operand Half = B.op(Semantics::FMul, 32, {V, real(0.5, 32)});
  Operand IsSmall =
      compare(B, ComparePredicate::LTS, Half, real(0.125, 32), 32);
  B.when(IsSmall, [&] { B.store(MemorySpace::Global, A, 4); });
  Operand OfProgram =
      compare(B, ComparePredicate::LTS, Half, real(0.25, 32), 32);
  B.when(OfProgram,
         [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  KernelFacts F = B.finish();
  F.Locations.edit().resize(1);
  F.Locations.edit()[0].Places = {{Wrappers, 235, 1, "powf"}};
  for (const Operand &O : {Half, IsSmall})
    F.Operations[O.Index].Location = 0;
  F.Branches[0].Op = IsSmall.Index;
  ExecutionProfile P = profileLanes(F, launch({64, 1, 1}, {256, 1, 1}),
                                    MemoryGeometry(), LanesOptions());
  // Between 0 and 0.5 in the function; nobody knows behind it.
  EXPECT_NEAR(P.Branches[0].TakenLaneFraction, 0.25, 0.01);
  EXPECT_NEAR(P.Branches[1].TakenLaneFraction, 0.5, 0.1);
}

} // namespace
