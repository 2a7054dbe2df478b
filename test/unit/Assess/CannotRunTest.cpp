//===- CannotRunTest.cpp - Launches that fail or hang ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterPool.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Report/RuleIds.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::HasSubstr;

namespace {

KernelFacts kernelWith(unsigned Registers, uint64_t SharedBytes = 0) {
  KernelFacts F;
  F.Name = F.Demangled = "k";
  F.Architecture = "sm_90";
  F.Place = {"k.cu", 3, 0, "k"};
  F.Resources.RegistersPerThread = Registers;
  F.Resources.IsEstimate = false;
  F.StaticSharedBytes = SharedBytes;
  return F;
}

Launch launchOf(Dim3 Grid, Dim3 Block) {
  Launch L;
  L.Grid = Sourced<Dim3>{Grid, "test"};
  L.Block = {Block, "test"};
  L.DynamicSharedBytes = {0, "test"};
  return L;
}

/// Why an H200 refuses the launch; empty where it runs it.
std::vector<std::string> reasons(const KernelFacts &F, const Launch &L) {
  std::vector<std::string> Out;
  if (std::optional<KernelReport> R =
          refuse(F, L, cantFail(loadDevice("nvidia-h200")), {})) {
    for (const Finding &What : R->Findings) {
      EXPECT_EQ(What.Rule, RuleId::CannotRun);
      EXPECT_EQ(severityOf(What), Severity::Error);
      Out.push_back(What.text());
    }
    EXPECT_FALSE(R->Predicted.Time);
  }
  return Out;
}

} // namespace

TEST(CannotRun, RegistersOfABlock) {
  Launch L = launchOf({4096, 1, 1}, {1024, 1, 1});
  EXPECT_THAT(reasons(kernelWith(64), L), testing::IsEmpty());
  EXPECT_THAT(
      reasons(kernelWith(96), L),
      testing::ElementsAre(testing::AllOf(
          HasSubstr("32 warps of 3072 registers, sm_90 allows 65536"),
          HasSubstr("__launch_bounds__(1024) makes the compiler keep to 64"),
          HasSubstr("blocks of 640 threads fit"))));
}

TEST(CannotRun, ClustersOfMoreBlocksThanAreResident) {
  DeviceModel Device = cantFail(loadDevice("nvidia-h200"));
  Launch L = launchOf({64, 1, 1}, {1024, 1, 1});
  L.Cluster = {8, 1, 1};
  const KernelFacts F = kernelWith(64);
  Device.Quantities[Quantity::SmCount].Value = 8;
  EXPECT_FALSE(refuse(F, L, Device, {}));
  Device.Quantities[Quantity::SmCount].Value = 7;
  std::optional<KernelReport> R = refuse(F, L, Device, {});
  ASSERT_TRUE(R);
  ASSERT_EQ(R->Findings.size(), 1u);
  EXPECT_THAT(R->Findings[0].text(),
              HasSubstr("cluster has 8 blocks, of which 7 can be resident"));
}

TEST(CannotRun, AnEstimateCountsWhereNineOfTenWould) {
  Launch L = launchOf({4096, 1, 1}, {1024, 1, 1});
  KernelFacts F = kernelWith(72);
  EXPECT_EQ(reasons(F, L).size(), 1u);
  F.Resources.IsEstimate = true;
  EXPECT_THAT(reasons(F, L), testing::IsEmpty());
  F.Resources.RegistersPerThread = 96;
  EXPECT_EQ(reasons(F, L).size(), 1u);
}

TEST(CannotRun, SharedMemoryOverTheDefault) {
  Launch L = launchOf({8, 1, 1}, {128, 1, 1});
  L.DynamicSharedBytes.Value = 48 * 1024;
  EXPECT_THAT(reasons(kernelWith(32, 16), L), testing::IsEmpty());
  L.Allowed.MayRaiseShared = false;
  EXPECT_THAT(reasons(kernelWith(32), L), testing::IsEmpty());
  EXPECT_THAT(reasons(kernelWith(32, 16), L),
              testing::ElementsAre(HasSubstr("49168 bytes")));
}

TEST(CannotRun, CooperativeGridsAreResident) {
  Launch L = launchOf({264, 1, 1}, {1024, 1, 1});
  L.Allowed.IsCooperative = true;
  EXPECT_THAT(reasons(kernelWith(32), L), testing::IsEmpty());
  L.Grid = Sourced<Dim3>{{133, 2, 1}, "test"};
  EXPECT_THAT(reasons(kernelWith(32), L),
              testing::ElementsAre(HasSubstr("266 blocks, of which 264 can be "
                                             "resident (2 blocks on each of "
                                             "132 SMs)")));
  L.Allowed.IsCooperative = false;
  EXPECT_THAT(reasons(kernelWith(32), L), testing::IsEmpty());
}

TEST(CannotRun, Clusters) {
  Launch L = launchOf({48, 1, 1}, {128, 1, 1});
  L.Cluster = {16, 1, 1};
  EXPECT_THAT(reasons(kernelWith(32), L), testing::IsEmpty());
  L.Allowed.MayRaiseCluster = false;
  EXPECT_THAT(reasons(kernelWith(32), L),
              testing::ElementsAre(HasSubstr("cluster has 16 blocks, sm_90 "
                                             "allows 8")));
  L.Cluster = {5, 1, 1};
  EXPECT_THAT(reasons(kernelWith(32), L),
              testing::ElementsAre(HasSubstr("no multiple of the cluster's")));
  L.Cluster = {32, 1, 1};
  L.Grid = Sourced<Dim3>{{64, 1, 1}, "test"};
  EXPECT_THAT(reasons(kernelWith(32), L), testing::Not(testing::IsEmpty()));
}

TEST(CannotRun, BoundsOfTheKernel) {
  KernelFacts F = kernelWith(32);
  F.Bounds.MaxThreads = 128;
  EXPECT_THAT(reasons(F, launchOf({8, 1, 1}, {128, 1, 1})), testing::IsEmpty());
  EXPECT_THAT(reasons(F, launchOf({8, 1, 1}, {160, 1, 1})),
              testing::ElementsAre(HasSubstr("launch bound of the kernel is "
                                             "128")));
  F.Bounds = {};
  F.Bounds.RequiredBlock = {32, 4, 1};
  EXPECT_THAT(reasons(F, launchOf({8, 1, 1}, {32, 4, 1})), testing::IsEmpty());
  EXPECT_EQ(reasons(F, launchOf({8, 1, 1}, {128, 1, 1})).size(), 1u);
}

namespace {

/// Half of the warps execute each of the two blocks of code.
struct Halves {
  KernelFacts Facts = kernelWith(128);
  ExecutionProfile Profile;
  Launch Launched = launchOf({8, 1, 1}, {256, 1, 1});

  Halves(int64_t Given, int64_t Taken) {
    Facts.Operations.resize(2);
    Facts.Operations[0].What = Semantics::GiveRegisters;
    Facts.Operations[0].Imm = Given;
    Facts.Operations[0].Block = 0;
    Facts.Operations[1].What = Semantics::TakeRegisters;
    Facts.Operations[1].Imm = Taken;
    Facts.Operations[1].Block = 1;
    Profile.Blocks.resize(2);
    for (BlockProfile &B : Profile.Blocks)
      B.ExecutionsPerWarp = 0.5;
  }

  std::optional<RegisterPoolDeficit> deficit() const {
    return registerPoolDeficit(Facts, Profile, Launched);
  }
};

} // namespace

TEST(RegisterPool, WhatOneHalfTakesTheOtherGives) {
  EXPECT_FALSE(Halves(24, 232).deficit());
  std::optional<RegisterPoolDeficit> Of = Halves(40, 232).deficit();
  ASSERT_TRUE(Of);
  EXPECT_EQ(Of->Wanted, 136);
  EXPECT_FALSE(Halves(-1, 232).deficit());
  Halves Estimated(40, 232);
  Estimated.Facts.Resources.IsEstimate = true;
  EXPECT_FALSE(Estimated.deficit());
  Halves InLoop(40, 232);
  InLoop.Profile.Blocks[1].ExecutionsPerWarp = 2;
  EXPECT_FALSE(InLoop.deficit());
}

TEST(TensorMemory, AnSmHas512Columns) {
  Halves Of(0, 0);
  for (Operation &Op : Of.Facts.Operations) {
    Op.What = Semantics::AllocateTensorMemory;
    Op.Imm = 256;
  }
  EXPECT_FALSE(tensorMemoryExcess(Of.Facts, Of.Profile));
  Of.Facts.Operations[1].Imm = 512;
  std::optional<TensorMemoryExcess> Excess =
      tensorMemoryExcess(Of.Facts, Of.Profile);
  ASSERT_TRUE(Excess);
  EXPECT_EQ(Excess->Columns, 768);
  Of.Profile.Blocks[0].ExecutionsPerWarp = 0;
  EXPECT_FALSE(tensorMemoryExcess(Of.Facts, Of.Profile));
}
