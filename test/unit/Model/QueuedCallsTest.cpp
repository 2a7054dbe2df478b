//===- QueuedCallsTest.cpp - Calls that wait for one another --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/QueuedCalls.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

const DeviceModel &device() {
  static const DeviceModel Device = [] {
    DeviceModel D =
        cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
    D.Quantities[Quantity::PrintfQueue].Value = 4000;
    D.Quantities[Quantity::PrintfQueueLane].Value = 100;
    D.Quantities[Quantity::PrintfLane].Value = 500;
    return D;
  }();
  return Device;
}

BlockProfile withLanes(double Lanes) {
  BlockProfile Block;
  Block.ExecutionsPerWarp = 1;
  Block.ActiveLaneFraction = Lanes / 32;
  return Block;
}

Operation printing(float Count) {
  Operation Op;
  Op.Queued.push_back({QueuedFunction::Printf, Count});
  return Op;
}

TEST(QueuedCalls, EachLaneTakesItsTurn) {
  Numbers N(device());
  EXPECT_EQ(queueCycles(printing(1), withLanes(1), N), 4000);
  EXPECT_EQ(queueCycles(printing(1), withLanes(32), N), 4000 + 31 * 100);
  EXPECT_EQ(queueCycles(printing(3), withLanes(1), N), 3 * 4000);
  EXPECT_EQ(furtherLanesCycles(printing(1), withLanes(1), N), 0);
  EXPECT_EQ(furtherLanesCycles(printing(2), withLanes(32), N), 2 * 31 * 500);
}

TEST(QueuedCalls, OthersWaitForNobody) {
  Numbers N(device());
  EXPECT_EQ(queueCycles(Operation(), withLanes(32), N), 0);
  EXPECT_EQ(furtherLanesCycles(Operation(), withLanes(32), N), 0);
}

/// Microseconds of \p Blocks of a warp of which \p Lanes print, on an H200.
double printUs(uint64_t Blocks, double Lanes, const Mechanisms &Used = {}) {
  static const DeviceModel H200 =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  KernelFacts Facts;
  Facts.Blocks.emplace_back().NumOps = 1;
  Operation Call = printing(1);
  Call.Block = 0;
  Call.Emits = {{InstClass::Call, 1, 1},
                {InstClass::IAdd3, 6812, 6812},
                {InstClass::AtomGlobal, 48, 48}};
  Facts.Operations = {Call};
  Facts.Resources.RegistersPerThread = 32;
  ExecutionProfile Profile;
  Profile.Blocks = {withLanes(Lanes)};
  Launch L;
  L.Block.Value = {32, 1, 1};
  L.Grid = Sourced<Dim3>{{Blocks, 1, 1}, "test"};
  Predictor P(H200, Used);
  return P.predict(Facts, Profile, L).Time->Ns / 1000;
}

TEST(QueuedCalls, WarpsOfAllSmsWait) {
  // An H200 on 2026-11-28, by the timer of the GPU.
  struct Row {
    uint64_t Blocks;
    double Lanes, Us;
  };
  for (const Row &R :
       {Row{1, 1, 20.8}, Row{1, 32, 23.1}, Row{4, 1, 26.6}, Row{4, 32, 47.5},
        Row{8, 1, 32.8}, Row{8, 32, 85.5}, Row{64, 1, 137.6}, Row{64, 32, 595},
        Row{528, 1, 1086}, Row{528, 32, 5050}}) {
    const double Predicted = printUs(R.Blocks, R.Lanes);
    EXPECT_LT(Predicted, R.Us * 1.35) << R.Blocks << " blocks, " << R.Lanes;
    EXPECT_GT(Predicted, R.Us / 1.35) << R.Blocks << " blocks, " << R.Lanes;
  }
  Mechanisms Without;
  Without.leaveOut(Mechanism::QueuedCalls);
  EXPECT_LT(printUs(64, 32, Without), 40);
}

} // namespace
