//===- WorksheetTest.cpp - Volkov 2016, section 3.6 -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Worksheet.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuocc;

/// Tables 3.2 to 3.4: 100 CUDA core instructions, 5 SFU, 10 + 10 shared, 5 + 5
/// DRAM on a Maxwell SM.
static Worksheet sampleWorksheet() {
  // 128 bytes at 10.4 B/cycle; the thesis rounds to 12.3.
  constexpr double Coalesced = 12.3;
  Worksheet W;
  W.use(Resource::Fma, "CUDA core instructions", 100, 0.25);
  W.use(Resource::Xu, "SFU instructions", 5, 1);
  W.use(Resource::Shared, "no conflict", 10, 1);
  W.use(Resource::Shared, "2-way conflict", 10, 2);
  W.use(Resource::Dram, "fully coalesced", 5, Coalesced);
  W.use(Resource::Dram, "stride-2", 5, 2 * Coalesced);
  W.use(Resource::Issue, "single issue", 125, 0.25);
  W.use(Resource::Issue, "dual-issue", 5, 0.25);
  W.use(Resource::Issue, "reissue", 15, 0.25);
  return W;
}

TEST(Worksheet, TotalsOfTable34) {
  Worksheet W = sampleWorksheet();
  EXPECT_DOUBLE_EQ(W.cycles(Resource::Fma), 25);
  EXPECT_DOUBLE_EQ(W.cycles(Resource::Xu), 5);
  EXPECT_DOUBLE_EQ(W.cycles(Resource::Shared), 30);
  EXPECT_DOUBLE_EQ(W.cycles(Resource::Dram), 184.5);
  EXPECT_DOUBLE_EQ(W.cycles(Resource::Issue), 36.25);
}

TEST(Worksheet, TightestBoundComesFirst) {
  std::vector<Bound> Bounds = sampleWorksheet().bounds();
  EXPECT_EQ(Bounds.front().What, Resource::Dram);
  EXPECT_NEAR(warpThroughputBound(Bounds), 0.00542, 0.000005);
}

TEST(Worksheet, VectorAddOfSection38IsBoundByMemoryAt0Point0445) {
  Worksheet W;
  W.use(Resource::Issue, "8 issues, 4 schedulers", 8, 0.25);
  W.use(Resource::Fma, "CUDA cores", 7, 0.25);
  W.use(Resource::Dram, "3 accesses of 128 B at 17.1 B/cycle", 3, 128 / 17.1);
  EXPECT_NEAR(warpThroughputBound(W.bounds()), 0.0445, 0.00005);
}

TEST(Worksheet, NothingUsedBoundsNothing) {
  Worksheet W;
  W.use(Resource::Xu, "none", 0, 1);
  EXPECT_TRUE(W.bounds().empty());
  EXPECT_TRUE(std::isinf(warpThroughputBound(W.bounds())));
}
