//===- RooflineTest.cpp - The instruction roofline's own numbers ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers of Ding and Williams 2019, "An Instruction Roofline Model for GPUs".
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Roofline.h"
#include "OneBlockLoop.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

const DeviceModel &v100() {
  static DeviceModel Device = cantFail(loadDevice("nvidia-tesla-v100"));
  return Device;
}

const DeviceModel &h200() {
  static DeviceModel Device = cantFail(loadDevice("nvidia-h200"));
  return Device;
}

const InstructionCeiling *find(ArrayRef<InstructionCeiling> Ceilings,
                               Resource Unit) {
  for (const InstructionCeiling &C : Ceilings)
    if (C.Unit == Unit)
      return &C;
  return nullptr;
}

TEST(Roofline, V100IssuesWhatThePaperSays) {
  // Section III.A: 80 SMs x 4 schedulers x 1.53 GHz.
  EXPECT_NEAR(*peakGips(v100()), 489.6, 1e-9);
}

TEST(Roofline, OfClassesThatAreAsFastTheOneThatComputesMostIsTheCeiling) {
  const std::vector<InstructionCeiling> All =
      instructionCeilings(v100(), nullptr);
  ASSERT_TRUE(find(All, Resource::Fma));
  EXPECT_EQ(*find(All, Resource::Fma)->Class, InstClass::FFma);
  // 80 SMs x 64 units x 2 x 1.53 GHz.
  EXPECT_NEAR(find(All, Resource::Fma)->GigaFlops, 15667.2, 0.1);
}

TEST(Roofline, V100HasTheTransactionsOfThePaper) {
  // Section III.A: 437, 93.6 and 25.9 GTXN/s.
  EXPECT_NEAR(*peakGtxn(RooflineLevel::L1, v100()), 437, 1);
  EXPECT_NEAR(*peakGtxn(RooflineLevel::L2, v100()), 93.6, 0.1);
  EXPECT_NEAR(*peakGtxn(RooflineLevel::Dram, v100()), 25.9, 0.1);
}

TEST(Roofline, WhatNobodyMeasuredHasAReason) {
  const Known<double> Shared = peakGtxn(RooflineLevel::Shared, DeviceModel());
  ASSERT_FALSE(bool(Shared));
  EXPECT_NE(Shared.reason().find("shared_bytes_per_cycle_sm"),
            std::string::npos);
}

TEST(Roofline, GlobalWallsOfThePaper) {
  std::vector<RooflineWall> Floats = globalWalls(4, 32);
  ASSERT_EQ(Floats.size(), 3u);
  EXPECT_DOUBLE_EQ(Floats[0].Intensity, 1);
  EXPECT_DOUBLE_EQ(Floats[1].Intensity, 1.0 / 4);
  EXPECT_DOUBLE_EQ(Floats[2].Intensity, 1.0 / 32);
  EXPECT_DOUBLE_EQ(unitStrideIntensity(8, 32), 1.0 / 8);
}

TEST(Roofline, TheNearestWallIsThatOfTheNearestRatio) {
  EXPECT_EQ(nearestWall(globalWalls(4, 32), 1.0 / 5), "stride-1");
  EXPECT_EQ(nearestWall(globalWalls(4, 32), 1.0 / 16), "stride-8");
  EXPECT_EQ(nearestWall(globalWalls(4, 32), 0.9), "stride-0");
  EXPECT_EQ(nearestWall(sharedWalls(), 1.0 / 16), "32-way bank conflict");
  EXPECT_EQ(nearestWall({}, 1), "");
}

TEST(Roofline, TheTensorCeilingIsThatOfTheLargestProduct) {
  const std::vector<InstructionCeiling> All =
      instructionCeilings(h200(), nullptr);
  const InstructionCeiling *Tensor = find(All, Resource::Tensor);
  ASSERT_TRUE(Tensor);
  EXPECT_EQ(warpFlops(*Tensor->Class).Kind, FlopKind::TensorFp16);
  EXPECT_DOUBLE_EQ(Tensor->GigaFlops, Tensor->Gips * 2 * 16 * 8 * 16);
  // A kernel that computes smaller ones has their ceiling.
  Prediction P;
  P.Mix = {{InstClass::MmaTf32K4, 8}};
  EXPECT_EQ(*find(instructionCeilings(h200(), &P), Resource::Tensor)->Class,
            InstClass::MmaTf32K4);
  EXPECT_FALSE(find(instructionCeilings(h200(), &P), Resource::Fp64));
}

/// What a kernel of one loop does whose warps execute \p Requests loads.
WarpWork workOf(OneBlockLoop &Code) {
  return warpWork(Code.Facts, Code.Profile, h200());
}

TEST(WarpWork, SharedTransactionsCountFourTimesAtL1) {
  OneBlockLoop Code(8);
  AccessProfile &Global =
      Code.addLoad(InstClass::LdGlobal, MemorySpace::Global, Operand(), 4);
  Global.SectorsPerRequest = Global.IdealSectorsPerRequest = 4;
  AccessProfile &Shared =
      Code.addLoad(InstClass::LdShared, MemorySpace::Shared, Operand(), 4);
  Shared.WavefrontsPerRequest = 2;
  Shared.IdealWavefrontsPerRequest = 1;
  const WarpWork W = workOf(Code);
  EXPECT_DOUBLE_EQ(W.WarpInstructions, 16);
  EXPECT_DOUBLE_EQ(W.GlobalTransactions, 32);
  EXPECT_DOUBLE_EQ(W.SharedTransactions, 16);

  const Roofline R = roofline(W, /*GigaWarps=*/1, Prediction(), h200());
  // Section III.B: 1 x global + 4 x shared transactions.
  EXPECT_DOUBLE_EQ(R.point(RooflineLevel::L1, RooflineCount::All)->Intensity,
                   16.0 / (32 + 4 * 16));
  EXPECT_DOUBLE_EQ(
      R.point(RooflineLevel::L1, RooflineCount::GlobalAccesses)->Intensity,
      1.0 / 4);
  EXPECT_EQ(R.NearestGlobalWall, "stride-1");
  EXPECT_DOUBLE_EQ(
      R.point(RooflineLevel::Shared, RooflineCount::SharedAccesses)->Intensity,
      1.0 / 2);
  EXPECT_DOUBLE_EQ(R.ConflictDegree, 2);
}

TEST(WarpWork, HalfOfTheLanesAreHalfOfTheThreadInstructions) {
  OneBlockLoop Code(10);
  Code.add(Emission{InstClass::FFma}, {});
  Code.Profile.Blocks[0].ActiveLaneFraction = 0.5;
  const WarpWork W = workOf(Code);
  EXPECT_DOUBLE_EQ(W.WarpInstructions, 10);
  EXPECT_DOUBLE_EQ(W.ThreadInstructions, 5);
  EXPECT_DOUBLE_EQ(W.Flops[unsigned(FlopKind::Fp32)], 10 * 16 * 2);
  EXPECT_DOUBLE_EQ(roofline(W, 2, Prediction(), h200()).activeFraction(), 0.5);
}

TEST(WarpWork, TensorProductsCountWhole) {
  // Section IV.E: 512 operations per HMMA of V100, m8n8k4; a m16n8k16 of later
  // ones is eight of them.
  EXPECT_DOUBLE_EQ(warpFlops(InstClass::MmaF64).PerInstruction, 512);
  EXPECT_DOUBLE_EQ(warpFlops(InstClass::MmaF16K16).PerInstruction, 8 * 512);
  EXPECT_DOUBLE_EQ(warpFlops(InstClass::MufuRcp).PerInstruction, 0);
}

} // namespace
