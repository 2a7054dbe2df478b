//===- RareSideTest.cpp - Sides of branches that seldom run ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/WarpLatency.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// if (c) x = 1000 square roots, one after the other or beside each other; then
/// a square root of x or of something else.
double cycles(double Share, bool IsChain, bool UsesSide) {
  constexpr uint32_t Length = 1000;
  static const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  KernelFacts Facts;
  ExecutionProfile Profile;
  for (double Executions : {1.0, Share, 1.0}) {
    Facts.Blocks.emplace_back();
    Profile.Blocks.emplace_back().ExecutionsPerWarp = Executions;
  }
  Facts.Blocks[0].Successors = {1, 2};
  Facts.Blocks[1].Successors = {2};
  auto Add = [&](uint32_t Block, Semantics What,
                 std::initializer_list<InstClass> Emits,
                 std::initializer_list<uint32_t> Operands) {
    Operation &Op = Facts.Operations.emplace_back();
    Op.Block = Block;
    Op.What = What;
    Op.NumResults = 1;
    for (InstClass Class : Emits)
      Op.Emits.push_back({Class, 1, 1});
    for (uint32_t Operand : Operands)
      Op.Operands.push_back(Operand::value(Operand));
    ++Facts.Blocks[Block].NumOps;
  };
  Add(0, Semantics::Compare, {InstClass::ISetp}, {});
  Facts.Blocks[1].FirstOp = 1;
  Add(1, Semantics::Opaque, {InstClass::MufuRsq}, {0});
  for (uint32_t I = 1; I != Length; ++I)
    Add(1, Semantics::Opaque, {InstClass::MufuRsq}, {IsChain ? I : 0});
  Facts.Blocks[2].FirstOp = Length + 1;
  Add(2, Semantics::Phi, {}, {0, Length});
  Facts.Operations.back().PhiBlocks = {0, 1};
  Add(2, Semantics::Opaque, {InstClass::MufuRsq}, {UsesSide ? Length + 1 : 0});
  Numbers N(Device);
  return WarpLatency(Facts, Profile, 1, N).cycles(MemoryDelay());
}

} // namespace

TEST(RareSide, CostsItsShare) {
  for (bool IsChain : {false, true})
    for (bool UsesSide : {false, true}) {
      const double Never = cycles(0, IsChain, UsesSide);
      const double Always = cycles(1, IsChain, UsesSide) - Never;
      EXPECT_GT(Always, 4000);
      // Neither its result nor its pipe is awaited as if it always ran.
      EXPECT_NEAR(cycles(0.01, IsChain, UsesSide) - Never, 0.01 * Always,
                  0.002 * Always);
      EXPECT_NEAR(cycles(0.5, IsChain, UsesSide) - Never, 0.5 * Always,
                  0.02 * Always);
    }
}
