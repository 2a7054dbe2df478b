//===- ExecutedCountsTest.cpp - What warps of a launch executed -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ExecutedCounts.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;
using testing::Optional;

namespace {

/// Blocks 0 to 3: a branch whose taken side is 2, and where both sides meet.
ExecutedCounts diamond() {
  ExecutedCounts C;
  C.NumWarps = 7;
  C.IsWholeGrid = false;
  C.SampledError = 0.125;
  C.Blocks = {{{2, 1}, 7, 3, 200, {{4, ExecutedKind::Load, 7, 28}}},
              {{3}, 5, 0, 90, {}},
              {{3}, 5, 0, 110, {{8, ExecutedKind::Atomic, 5, 9}}},
              {{}, 7, 0, 200, {}}};
  return C;
}

TEST(ExecutedCounts, AreReadAsTheyWereWritten) {
  SmallString<128> Path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("gpuocc", "bin", Path));
  const ExecutedCounts C = diamond();
  ASSERT_FALSE(errorToBool(C.write(Path)));
  Expected<ExecutedCounts> Read = ExecutedCounts::load(Path);
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_EQ(*Read, C);
  sys::fs::remove(Path);
}

/// The same code, whose blocks are in another order.
KernelFacts factsOfDiamond() {
  KernelFacts Facts;
  Facts.Blocks.resize(4);
  Facts.Blocks[0].Successors = {1, 3};
  Facts.Blocks[1].Successors = {2};
  Facts.Blocks[3].Successors = {2};
  Facts.Blocks[0].Branch = 0;
  Branch &B = Facts.Branches.emplace_back();
  B.Block = 0;
  B.Targets = {3, 1};
  return Facts;
}

TEST(ExecutedCounts, BlocksAreFoundByTheirWays) {
  EXPECT_THAT(diamond().match(factsOfDiamond()),
              Optional(ElementsAre(0u, 1u, 3u, 2u)));
}

TEST(ExecutedCounts, OtherCodeDoesNotFit) {
  KernelFacts Facts = factsOfDiamond();
  Facts.Blocks[3].Successors = {};
  EXPECT_EQ(diamond().match(Facts), std::nullopt);
}

} // namespace
