//===- CallLatencyTest.cpp - Calls whose code is counted with them --------===//
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

/// A call that makes \p Adds additions, \p OnPath of them one after the other,
/// and an instruction behind it that does not wait for what it returns.
double cycles(float Adds, float OnPath, bool IsCall = true) {
  static const DeviceModel Device =
      cantFail(llvm::Expected<DeviceModel>(loadDevice("nvidia-h200")));
  KernelFacts Facts;
  ExecutionProfile Profile;
  Facts.Blocks.emplace_back().NumOps = 2;
  Profile.Blocks.emplace_back().ExecutionsPerWarp = 1;
  Operation Call, Behind;
  Call.Block = Behind.Block = 0;
  Call.NumResults = 1;
  if (IsCall)
    Call.Emits.push_back({InstClass::Call, 1, 1});
  Call.Emits.push_back({InstClass::IAdd3, Adds, OnPath});
  Behind.Emits.push_back({InstClass::FAdd, 1, 1});
  Facts.Operations = {Call, Behind};
  Numbers N(Device);
  return WarpLatency(Facts, Profile, 1, N).cycles(MemoryDelay());
}

} // namespace

TEST(CallLatency, TheWarpGoesOnWhenTheCallIsDone) {
  const double Chain = cycles(1000, 1000), Beside = cycles(1000, 0);
  EXPECT_GT(Chain, 4000);
  EXPECT_LT(Beside, 2500);
  // What is no call is passed by what does not wait for it.
  EXPECT_LT(cycles(1000, 1000, false), 2500);
}
