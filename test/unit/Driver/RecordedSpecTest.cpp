//===- RecordedSpecTest.cpp - Recorded launches as a configuration --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/RecordedSpec.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Device/ArchLimits.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// Of k(float *out, int n, float value, Shape shape, double *none, half h),
/// where a shape has 12 bytes.
KernelFacts facts() {
  KernelFacts K;
  K.Name = "_Z1k";
  K.Parameters.resize(6);
  K.Parameters[0].IsPointer = K.Parameters[4].IsPointer = true;
  K.Parameters[2].IsFloat = K.Parameters[5].IsFloat = true;
  const uint64_t Sizes[] = {8, 4, 4, 12, 8, 2};
  for (size_t I = 0; I != 6; ++I)
    K.Parameters[I].SizeBytes = Sizes[I];
  return K;
}

RecordedLaunch record() {
  RecordedLaunch L;
  L.Kernel = "_Z1k";
  L.Grid = {32, 2, 1};
  L.Block = {128, 1, 1};
  L.DynamicSharedBytes = 64;
  L.Arguments = {{{0, 0, 0, 0, 0, 16, 0, 0}, 4096},
                 {{0xfe, 0xff, 0xff, 0xff}, 0},
                 {{0, 0, 0xc0, 0x3f}, 0},
                 {{2, 0, 0, 0, 0, 0, 0, 0x3f, 1, 2, 3, 4}, 0},
                 {{0, 0, 0, 0, 0, 0, 0, 0}, 0},
                 {{0, 0x3c}, 0}};
  return L;
}

TEST(RecordedSpec, NumbersStructsAndNullPointers) {
  const LaunchSpec Spec = specOfRecord(record(), facts());
  EXPECT_EQ(Spec.Kernel, "_Z1k");
  EXPECT_EQ(Spec.Grid, (Dim3{32, 2, 1}));
  EXPECT_EQ(Spec.DynamicSharedBytes, 64u);
  // The address of memory says nothing.
  EXPECT_EQ(Spec.Arguments.count("0"), 0u);
  EXPECT_EQ(Spec.Arguments.at("1").Integer, -2);
  EXPECT_EQ(Spec.Arguments.at("2").Real, 1.5);
  EXPECT_EQ(Spec.StructBytes.at("3"), "020000000000003f01020304");
  EXPECT_EQ(Spec.Arguments.at("4").Integer, 0);
  EXPECT_EQ(Spec.Arguments.at("5").Real, 1);
}

TEST(RecordedSpec, WhatIsNoNumberIsLeftOut) {
  RecordedLaunch L = record();
  L.Arguments[2].Bytes = {0, 0, 0xc0, 0x7f};
  EXPECT_EQ(specOfRecord(L, facts()).Arguments.count("2"), 0u);
  L.Arguments.clear();
  EXPECT_TRUE(specOfRecord(L, facts()).Arguments.empty());
}

TEST(RecordedSpec, WhatIsWrittenCanBeRead) {
  RecordedLaunch Recorded = record();
  Recorded.Cluster = {2, 1, 1};
  Recorded.CarveoutPercent = 7;
  LaunchSpec Spec = specOfRecord(Recorded, facts());
  std::string Text = "launches:\n";
  llvm::raw_string_ostream OS(Text);
  writeLaunch(Spec, OS);
  llvm::Expected<Config> Read = parseConfig(Text, "written.yaml", {});
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  ASSERT_EQ(Read->Launches.size(), 1u);
  Spec.Source = Read->Launches[0].Source;
  EXPECT_EQ(Read->Launches[0], Spec);
}

TEST(RecordedSpec, RecorderIsToldWhatFitsAnSm) {
  KernelFacts K = facts();
  K.Resources.RegistersPerThread = 128;
  K.StaticSharedBytes = 4096;
  K.Bounds.MaxThreads = 256;
  llvm::Expected<const ArchLimits &> Limits = archLimits("sm_90");
  ASSERT_TRUE(bool(Limits));
  const RecordableKernel R = recordable(K, *Limits);
  EXPECT_EQ(R.Registers, 128u);
  EXPECT_EQ(R.StaticSharedBytes, 4096u);
  EXPECT_EQ(R.MaxThreads, 256u);
  // 65536 registers are 16 warps of 128 each.
  ASSERT_EQ(R.BlocksByWarps.size(), 32u);
  EXPECT_EQ(R.BlocksByWarps[0], 16u);
  EXPECT_EQ(R.BlocksByWarps[7], 2u);
  EXPECT_EQ(R.BlocksByWarps[31], 0u);
}

} // namespace
