//===- SaturationTest.cpp - Latency under load ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Throughput/Saturation.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuocc;

namespace {

/// A warp that waits for one sector of DRAM.
struct OneLoad {
  KernelFacts Facts;
  ExecutionProfile Profile;
  DeviceModel Device = cantFail(loadDevice("nvidia-h200"));

  OneLoad() {
    Facts.Blocks.emplace_back().NumOps = 2;
    Profile.Blocks.emplace_back().ExecutionsPerWarp = 1;
    Operation Load, Use;
    Load.Block = Use.Block = 0;
    Load.Access = 0;
    Load.Emits.push_back({InstClass::LdGlobal, 1, 1});
    Use.Emits.push_back({InstClass::FAdd, 1, 1});
    Use.Operands.push_back(Operand::value(0));
    Facts.Operations = {Load, Use};
    MemoryAccess A;
    A.Op = 0;
    A.Space = MemorySpace::Global;
    Facts.Accesses.push_back(A);
    AccessProfile P;
    P.ExecutionsPerWarp = P.RequestsPerWarp = 1;
    P.SectorsPerRequest = P.LinesPerRequest = 1;
    Profile.Accesses.push_back(P);
  }

  /// Cycles of a warp when \p BytesWritten per warp go to DRAM.
  double latency(double WarpsPerCycle, double BytesWritten) {
    Numbers N(Device);
    WarpLatency Warp(Facts, Profile, 1, N);
    LoadedLatency Loaded(Warp, Profile);
    Prediction P;
    P.DramWriteBytesPerWarp = BytesWritten;
    return Saturation(Loaded, P, {}, 0, 1, N).latencyAt(WarpsPerCycle);
  }
};

} // namespace

TEST(Saturation, LoadsWaitForTheShareOfTimeThatDramWrites) {
  OneLoad K;
  EXPECT_DOUBLE_EQ(K.latency(0, 256), K.latency(0, 0));
  double Share = 0.01 * 256 / *K.Device.get(Quantity::DramWriteBytesPerCycle);
  double Wait = Share * *K.Device.get(Quantity::DramWriteDelay);
  // Writes are load like reads, too.
  EXPECT_GE(K.latency(0.01, 256) - K.latency(0.01, 0), Wait);
  EXPECT_LE(K.latency(0.01, 256) - K.latency(0.01, 0), 1.3 * Wait);
}

TEST(Saturation, FewSmsGetMoreOfWhatTheChipShares) {
  OneLoad K;
  Numbers N(K.Device);
  WarpLatency Warp(K.Facts, K.Profile, 1, N);
  LoadedLatency Loaded(Warp, K.Profile);
  Prediction P;
  P.Bounds = {{Resource::L2, 100, {}}, {Resource::Lsu, 10, {}}};
  PerResource<double> OneSm = {};
  OneSm[size_t(Resource::L2)] = 40;
  const Saturation S(Loaded, P, OneSm, 0, 1, N);
  EXPECT_NEAR(S.warpsPerCycle(64), 1 / 100.0, 1e-6);
  EXPECT_NEAR(S.warpsPerCycle(64, 32), 1 / 50.0, 1e-6);
  // One SM alone takes no more than it can.
  EXPECT_NEAR(S.warpsPerCycle(64, 1), 1 / 40.0, 1e-6);
}

TEST(Saturation, WhatAnSmHasOfItsOwnIsNotShared) {
  OneLoad K;
  Numbers N(K.Device);
  WarpLatency Warp(K.Facts, K.Profile, 1, N);
  LoadedLatency Loaded(Warp, K.Profile);
  Prediction P;
  P.Bounds = {{Resource::Fp64, 100, {}}};
  const Saturation S(Loaded, P, {}, 0, 1, N);
  EXPECT_DOUBLE_EQ(S.warpsPerCycle(64, 1), S.warpsPerCycle(64));
}

TEST(Saturation, NoNumberOfWarpsIsNoNumber) {
  OneLoad K;
  Numbers N(K.Device);
  WarpLatency Warp(K.Facts, K.Profile, 1, N);
  LoadedLatency Loaded(Warp, K.Profile);
  Prediction P;
  P.Bounds = {{Resource::Issue, 100, {}}};
  const Saturation S(Loaded, P, {}, 0, 1, N);
  EXPECT_LT(S.neededWarps(0.9), 64);
  EXPECT_GT(S.neededWarps(0.9), S.neededWarps(0.5));
  // More than all of the bound.
  EXPECT_TRUE(std::isinf(S.neededWarps(1.01)));
}

TEST(WarpLatency, WhatItDoesNotUseDoesNotChangeItsTime) {
  OneLoad K;
  Numbers N(K.Device);
  WarpLatency Warp(K.Facts, K.Profile, 1, N);
  EXPECT_TRUE(Warp.uses(Resource::Lsu));
  EXPECT_FALSE(Warp.uses(Resource::Xu));
  EXPECT_EQ(Warp.cyclesOnSm(Resource::Xu), Warp.cyclesOnSm());
  EXPECT_LT(Warp.cyclesOnSm(Resource::Lsu), Warp.cyclesOnSm());
  // The load waits for DRAM, whatever hits in L2.
  EXPECT_FALSE(Warp.waitsForL2());
  EXPECT_TRUE(Warp.waitsForDram());
  EXPECT_EQ(Warp.cycles({1000, 0}), Warp.unloaded().Cycles);
  EXPECT_GT(Warp.cycles({0, 1000}), Warp.unloaded().Cycles);
}
