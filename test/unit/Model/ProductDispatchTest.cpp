//===- ProductDispatchTest.cpp - What products leave of a scheduler -------===//
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

/// A loop of 1000 turns of eight products of \p Product and \p Others additions
/// of floats, 16 warps on each SM of an H200.
Prediction predictMix(InstClass Product, float Others,
                      const Mechanisms &Used = {}) {
  static const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  KernelFacts F;
  F.Architecture = "sm_90";
  for (const Emission &E :
       {Emission{Product, 8, 1}, Emission{InstClass::FAdd, Others, 1}}) {
    Operation &Op = F.Operations.emplace_back();
    Op.Block = 0;
    Op.What = Semantics::Opaque;
    Op.NumResults = 1;
    Op.Emits.push_back(E);
  }
  F.Blocks.emplace_back().NumOps = F.Operations.size();
  ExecutionProfile P;
  P.Blocks.push_back({1000, 1});
  Launch L;
  L.Block.Value = {512, 1, 1};
  L.Grid = Sourced<Dim3>{{132, 1, 1}, "test"};
  return Predictor(Device, Used).predict(F, P, L, PredictDetail::Full);
}

/// Scheduler cycles of a turn.
double issueCycles(const Prediction &P) {
  for (const Bound &B : P.Bounds)
    if (B.What == Resource::Issue)
      return B.CyclesPerWarp * 4 / 1000;
  return 0;
}

// ports.csv of 2026-11-29T0250: eight products and 8, 16 and 24 FFMA, beside
// ten other instructions: 62, 71 and 79 cycles of a scheduler.
TEST(ProductDispatch, ProductsTakeSlotsOfOthers) {
  EXPECT_NEAR(issueCycles(predictMix(InstClass::MmaBf16K16, 18)), 62, 3);
  EXPECT_NEAR(issueCycles(predictMix(InstClass::MmaBf16K16, 26)), 71, 3);
  EXPECT_NEAR(issueCycles(predictMix(InstClass::MmaBf16K16, 34)), 79, 3);
}

TEST(ProductDispatch, CountersSeeOneIssue) {
  const Prediction P = predictMix(InstClass::MmaBf16K16, 26);
  const double OfBound = issueCycles(P) * 1000 / 4 * P.WarpsPerCycle;
  EXPECT_LT(P.Busy[size_t(Resource::Issue)], OfBound * 34 / 60);
}

TEST(ProductDispatch, OfTheSwitchNothingIsLeft) {
  Mechanisms Without;
  Without.leaveOut(Mechanism::ProductDispatch);
  EXPECT_NEAR(issueCycles(predictMix(InstClass::MmaBf16K16, 26, Without)), 34,
              0.5);
}

} // namespace
