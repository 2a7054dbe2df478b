//===- FmaPipeTest.cpp - The halves of the FMA pipe -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"
#include <utility>

using namespace gpuocc;

namespace {

/// Cycles of an H200's SM for which a warp with \p Counts of classes takes the
/// FMA pipe.
double fmaCycles(std::vector<std::pair<InstClass, float>> Counts) {
  static const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  KernelFacts F;
  F.Architecture = "sm_90";
  F.Blocks.resize(1);
  F.Blocks[0].NumOps = 1;
  Operation Op;
  Op.Block = 0;
  for (auto [Class, Count] : Counts)
    Op.Emits.push_back({Class, Count, 1});
  F.Operations.push_back(Op);
  ExecutionProfile P;
  P.Blocks.push_back({1, 1});
  Launch L;
  L.Block.Value = {256, 1, 1};
  for (const Bound &B : predict(F, P, L, Device).Bounds)
    if (B.What == Resource::Fma)
      return B.CyclesPerWarp;
  return 0;
}

TEST(FmaPipe, IntegersTakeTurnsOnOneHalf) {
  constexpr InstClass Fma = InstClass::FFma, Mad = InstClass::IMad,
                      High = InstClass::IMadHi;
  EXPECT_NEAR(fmaCycles({{Fma, 100}}), 25, 0.5);
  EXPECT_NEAR(fmaCycles({{Mad, 100}}), 50, 0.5);
  EXPECT_NEAR(fmaCycles({{High, 100}}), 100, 0.5);
  EXPECT_NEAR(fmaCycles({{High, 100}, {Mad, 100}}), 150, 1);
  // The other half is free for FFMA, until both are busy.
  EXPECT_NEAR(fmaCycles({{Mad, 100}, {Fma, 100}}), 50, 0.5);
  EXPECT_NEAR(fmaCycles({{Mad, 100}, {Fma, 200}}), 75, 1);
}

} // namespace
