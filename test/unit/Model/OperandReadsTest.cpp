//===- OperandReadsTest.cpp - Registers that instructions read ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// Cycles of a scheduler of an H200 that \p What takes for a warp that executes
/// all operations of \p F once, as one block.
double cyclesOf(KernelFacts F, Resource What) {
  static const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  F.Architecture = "sm_90";
  F.Blocks.emplace_back().NumOps = F.Operations.size();
  ExecutionProfile P;
  P.Blocks.push_back({1, 1});
  Launch L;
  L.Block.Value = {256, 1, 1};
  for (const Bound &B : predict(F, P, L, Device).Bounds)
    if (B.What == What)
      return B.CyclesPerWarp * 4;
  return 0;
}

/// Where the factors of a product come from.
enum class Factor { Own, Shared, Parameter };

/// Cycles of a scheduler of an H200 for each FFMA of \p Chains chains, where
/// each adds a product of \p First and \p Second to its sum.
double cyclesPerProduct(unsigned Chains, Factor First, Factor Second) {
  constexpr unsigned Turns = 8;
  KernelFacts F;
  auto Add = [&](Semantics What, bool IsProduct) -> uint32_t {
    Operation &Op = F.Operations.emplace_back();
    Op.Block = 0;
    Op.What = What;
    Op.NumResults = 1;
    if (IsProduct)
      Op.Emits.push_back({InstClass::FFma, 1, 1});
    return F.Operations.size() - 1;
  };
  std::vector<uint32_t> Sums, Firsts, Seconds;
  auto Value = [&](Factor Kind, std::vector<uint32_t> &Of) {
    Of.push_back(Kind == Factor::Shared && !Of.empty()
                     ? Of.front()
                     : Add(Kind == Factor::Parameter ? Semantics::Param
                                                     : Semantics::Opaque,
                           false));
  };
  for (unsigned C = 0; C != Chains; ++C) {
    Value(Factor::Own, Sums);
    Value(First, Firsts);
    Value(Second, Seconds);
  }
  for (unsigned T = 0; T != Turns; ++T)
    for (unsigned C = 0; C != Chains; ++C) {
      const uint32_t Next = Add(Semantics::FFma, true);
      for (uint32_t From : {Firsts[C], Seconds[C], Sums[C]})
        F.Operations[Next].Operands.push_back(Operand::value(From));
      Sums[C] = Next;
    }
  return cyclesOf(std::move(F), Resource::Fma) / (Turns * Chains);
}

// Measured on an H100 (4 warps a scheduler, peak 0.91 a cycle): chains of
// products of registers of their own 1.48 to 1.59 cycles (8 chains), with one
// or two shared factors 1.11 to 1.13 (4 and 8 chains).
TEST(OperandReads, ThreeRegistersTakeOneAndAHalfCycles) {
  EXPECT_NEAR(cyclesPerProduct(8, Factor::Own, Factor::Own), 1.5, 0.01);
}

TEST(OperandReads, SharedFactorsAreKept) {
  EXPECT_NEAR(cyclesPerProduct(8, Factor::Shared, Factor::Own), 1, 0.07);
  EXPECT_NEAR(cyclesPerProduct(8, Factor::Shared, Factor::Shared), 1, 0.01);
}

TEST(OperandReads, ArgumentsAreNoRegisters) {
  EXPECT_NEAR(cyclesPerProduct(8, Factor::Parameter, Factor::Own), 1, 0.01);
}

// Other warps take turns while a chain waits for itself.
TEST(OperandReads, NothingIsKeptForWhatWaits) {
  EXPECT_NEAR(cyclesPerProduct(1, Factor::Own, Factor::Own), 1.5, 0.01);
}

/// A kernel of one block of independent instructions, each of two registers of
/// its own, or of three.
struct Mix {
  KernelFacts Facts;

  void add(unsigned Count, InstClass Class, unsigned NumRegisters) {
    for (unsigned I = 0; I != Count; ++I) {
      Operation Op;
      Op.Block = 0;
      Op.What = Semantics::Opaque;
      for (unsigned R = 0; R != NumRegisters; ++R) {
        Operation From;
        From.Block = 0;
        From.What = Semantics::Opaque;
        Facts.Operations.push_back(From);
        Op.Operands.push_back(Operand::value(Facts.Operations.size() - 1));
      }
      Op.Emits.push_back({Class, 1, 1});
      Facts.Operations.push_back(Op);
    }
  }

  double cycles(Resource What) const { return cyclesOf(Facts, What); }
};

// Measured on an H200 (2026-11-30T1235/operands.csv, 4 warps a scheduler): one
// LOP3 beside one, two and three FFMA, all of three registers, 3.14, 4.72 and
// 6.12 cycles; beside an FADD of two 2.52.
TEST(OperandReads, AllPipesReadFromTheSameBanks) {
  Mix Threes;
  Threes.add(3, InstClass::FFma, 3);
  Threes.add(1, InstClass::Lop3, 3);
  EXPECT_NEAR(Threes.cycles(Resource::Issue), 6, 0.01);
  Mix TwoAndThree;
  TwoAndThree.add(1, InstClass::FAdd, 2);
  TwoAndThree.add(1, InstClass::Lop3, 3);
  EXPECT_NEAR(TwoAndThree.cycles(Resource::Issue), 2.5, 0.01);
}

// One IMAD.HI beside two LOP3 takes 6.1 cycles of a scheduler, four beside
// 10.3, and beside two FADD 5.8.
TEST(WideProducts, TakeTheAluAndTheWholeFmaPipe) {
  for (unsigned Logic : {2u, 4u}) {
    Mix M;
    M.add(Logic, InstClass::Lop3, 2);
    M.add(1, InstClass::IMadHi, 2);
    EXPECT_NEAR(M.cycles(Resource::Alu), 2 * Logic + 2, 0.1);
  }
  Mix Sums;
  Sums.add(2, InstClass::FAdd, 2);
  Sums.add(1, InstClass::IMadHi, 2);
  EXPECT_NEAR(Sums.cycles(Resource::Fma), 6, 0.1);
}

} // namespace
