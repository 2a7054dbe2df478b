//===- OperandReadsTest.cpp - Registers that products read ----------------===//
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

/// Where the factors of a product come from.
enum class Factor { Own, Shared, Parameter };

/// Cycles of a scheduler of an H200 for each FFMA of \p Chains chains, where
/// each adds a product of \p First and \p Second to its sum.
double cyclesPerProduct(unsigned Chains, Factor First, Factor Second) {
  static const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  constexpr unsigned Turns = 8;
  KernelFacts F;
  F.Architecture = "sm_90";
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
  F.Blocks.emplace_back().NumOps = F.Operations.size();
  ExecutionProfile P;
  P.Blocks.push_back({1, 1});
  Launch L;
  L.Block.Value = {256, 1, 1};
  for (const Bound &B : predict(F, P, L, Device).Bounds)
    if (B.What == Resource::Fma)
      return B.CyclesPerWarp * 4 / (Turns * Chains);
  return 0;
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

} // namespace
