//===- BorrowedNumbersTest.cpp - What missing numbers may shift -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneBlockLoop.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

constexpr double Factor = 1.25;

/// An H200 without the latency of \p Class.
DeviceModel h200Without(InstClass Class) {
  DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  Device.Instructions[Class].LatencyCycles.reset();
  return Device;
}

/// What Predictor::offByBorrowed says of one warp with a chain of \p Class.
double offBy(const DeviceModel &Device, InstClass Class = InstClass::MufuEx2) {
  OneBlockLoop Kernel(10000);
  Kernel.Facts.Architecture = "sm_90";
  Operation &Chain = Kernel.add(Emission{Class, 1, 1}, Operand::value(0));
  Chain.Bits = 32;
  Launch L;
  L.Block.Value = {32, 1, 1};
  L.Grid = Sourced<Dim3>{{1, 1, 1}, "test"};
  Predictor Model(Device);
  const Prediction P = Model.predict(Kernel.Facts, Kernel.Profile, L);
  return Model.offByBorrowed(Kernel.Facts, Kernel.Profile, L, P, Factor);
}

TEST(BorrowedNumbers, ShiftWhatRestsOnThem) {
  EXPECT_GT(offBy(h200Without(InstClass::MufuEx2)), 1.15);
  EXPECT_LE(offBy(h200Without(InstClass::MufuEx2)), Factor);
}

TEST(BorrowedNumbers, ShiftNothingElse) {
  EXPECT_EQ(offBy(h200Without(InstClass::DFma)), 1);
}

// Seventeen of nineteen instructions of the pipe take as long as each other,
// and nothing says so of another instruction than a move.
TEST(BorrowedNumbers, AreNotWhatThePipeTellsOfMoves) {
  EXPECT_EQ(offBy(h200Without(InstClass::Mov), InstClass::Mov), 1);
  EXPECT_GT(offBy(h200Without(InstClass::Lop3), InstClass::Lop3), 1);
}

TEST(BorrowedNumbers, CountAsAWholeWhereTheyAreNoTimes) {
  DeviceModel Device = h200Without(InstClass::DFma);
  Device.Quantities.erase(Quantity::SchedulersPerSm);
  EXPECT_EQ(offBy(Device), Factor);
}

} // namespace
