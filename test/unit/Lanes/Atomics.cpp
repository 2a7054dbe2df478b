//===- Atomics.cpp - Lanes and warps that meet on an address --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

ExecutionProfile profile(const KernelFacts &F) {
  return profileLanes(F, launch({64, 1, 1}, {256, 1, 1}), MemoryGeometry(),
                      LanesOptions());
}

TEST(Atomics, GridMeetsOnTheSectorsItReaches) {
  // atomicAdd(&a[threadIdx.x], v): 256 words of 64 blocks.
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.atomic(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  ExecutionProfile P = profile(B.finish());
  EXPECT_EQ(P.Accesses[0].GridSectors, Known<double>(32));
  EXPECT_EQ(P.Accesses[0].GridSpanBytes, Known<double>(1024));
  EXPECT_EQ(P.Accesses[0].LanesPerAddress, 1);
  EXPECT_EQ(P.Accesses[0].ActiveLanes, 32);
}

TEST(Atomics, OneLaneActsForTheWarp) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.atomic(MemorySpace::Global, A, 4);
  KernelFacts F = B.finish();
  ExecutionProfile Apart = profile(F);
  EXPECT_EQ(Apart.Accesses[0].LanesPerAddress, 32);
  F.Accesses[0].Combining = LaneCombining::OneLane;
  ExecutionProfile P = profile(F);
  EXPECT_EQ(P.Accesses[0].ActiveLanes, 1);
  EXPECT_EQ(P.Accesses[0].LanesPerAddress, 1);
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 1);
  EXPECT_EQ(P.Accesses[0].GridSectors, Known<double>(1));
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 1);
}

TEST(Atomics, CountedLanesDoNotWait) {
  FactsBuilder B;
  Operand S = B.shared("bins", 128);
  B.atomic(MemorySpace::Shared, S, 4);
  KernelFacts F = B.finish();
  F.Accesses[0].Combining = LaneCombining::ByAddress;
  ExecutionProfile P = profile(F);
  EXPECT_EQ(P.Accesses[0].ActiveLanes, 32);
  EXPECT_EQ(P.Accesses[0].LanesPerAddress, 1);
  EXPECT_EQ(P.Accesses[0].WavefrontsPerRequest, 1);
}

TEST(Atomics, LoadedIndicesMeetNobodyKnowsWhere) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand V = B.load(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  B.atomic(MemorySpace::Global, B.element(A, V, 4), 4);
  ExecutionProfile P = profile(B.finish());
  EXPECT_FALSE(P.Accesses[1].GridSectors);
}

} // namespace
