//===- CountedTurnsTest.cpp - Turns of loops in a launch that ran ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/CountedTurns.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class CountedTurnsFile : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createTemporaryFile("gpuocc", "bin", Path));
  }
  void TearDown() override { sys::fs::remove(Path); }

  void write(StringRef Text) {
    std::error_code EC;
    raw_fd_ostream OS(Path, EC);
    OS << Text;
  }

  SmallString<128> Path;
};

/// Two loops, in a grid of 3 blocks of 2 warps; the last turns most.
CountedTurns twoLoops() {
  CountedTurns T;
  T.Grid = {3, 1, 1};
  T.Block = {64, 1, 1};
  T.Loops = {{{"a.cu:4", "a.cu:5"}, {6, 60, 30}}, {{"a.cu:6"}, {8, 9, 8.5}}};
  T.Blocks = {{0, false, {{1, 5, 4}, {2, 2, 2}, {1, 7, 7}, {0, 0, 0}}},
              {2, true, {{1, 30, 9}, {3, 3, 3}, {1, 10, 2}, {1, 2, 2}}}};
  return T;
}

TEST_F(CountedTurnsFile, IsReadAsItWasWritten) {
  const CountedTurns T = twoLoops();
  ASSERT_FALSE(errorToBool(T.write(Path)));
  Expected<CountedTurns> Read = CountedTurns::load(Path);
  ASSERT_TRUE(bool(Read)) << toString(Read.takeError());
  EXPECT_EQ(*Read, T);
}

TEST_F(CountedTurnsFile, OtherFilesAreRefused) {
  for (StringRef Text :
       {"", "gpuocc-turns-0\n1 1 1\n1 1 1\n", "gpuocc-turns-1\n1 1\n1 1 1\n",
        "gpuocc-turns-1\n1 1 1\n1 1 1\nl 1 2\ta.cu:3\n",
        "gpuocc-turns-1\n1 1 1\n1 1 1\nb 0 1 2\n",
        "gpuocc-turns-1\n1 1 1\n1 1 1\nb 0 1 nan 1\n",
        "gpuocc-turns-1\n1 1 1\n1 1 1\nb 5\nb 3\n"}) {
    write(Text);
    EXPECT_TRUE(errorToBool(CountedTurns::load(Path).takeError()))
        << Text.str();
  }
  EXPECT_TRUE(errorToBool(CountedTurns::load("/nowhere").takeError()));
}

TEST(CountedTurns, AWarpIsKnownWhereItsBlockIs) {
  const CountedTurns T = twoLoops();
  EXPECT_EQ(T.ofWarp(2, 1, {0}), (TurnCount{1, 10, 2}));
  EXPECT_EQ(T.ofWarp(2, 0, {0, 1}), (TurnCount{4, 33, 12}));
  EXPECT_FALSE(T.ofWarp(1, 0, {0}));
  EXPECT_FALSE(T.ofWarp(2, 2, {0}));
  EXPECT_EQ(T.ofGrid({1}), (TurnCount{8, 9, 8.5}));
}

/// Loops with operations at the lines of \p Lines.
KernelFacts factsOf(std::vector<std::vector<unsigned>> Lines) {
  KernelFacts Facts;
  for (const std::vector<unsigned> &Of : Lines) {
    BasicBlock B;
    B.Loop = uint32_t(Facts.Loops.size());
    for (unsigned Line : Of) {
      Operation Op;
      Op.Block = uint32_t(Facts.Blocks.size());
      Op.Location = uint32_t(Facts.Locations.size());
      Facts.Locations.edit().push_back({{{"/src/a.cu", Line, 1, "f"}}});
      Facts.Operations.push_back(Op);
    }
    Facts.Blocks.push_back(B);
    Facts.Loops.emplace_back();
  }
  return Facts;
}

TEST(CountedTurns, LoopsAreFoundByTheirLines) {
  const CountedTurns T = twoLoops();
  // A line more, the inner one, one that was not counted, and one that shares
  // too little.
  EXPECT_THAT(
      T.match(factsOf({{3, 4, 5}, {6}, {9}, {5, 7, 8, 9}})),
      ElementsAre(ElementsAre(0), ElementsAre(1), IsEmpty(), IsEmpty()));
}

TEST(CountedTurns, CopiesOfALoopAreOne) {
  CountedTurns T = twoLoops();
  T.Loops.push_back(T.Loops[0]);
  EXPECT_THAT(T.match(factsOf({{4, 5}})), ElementsAre(ElementsAre(0, 2)));
}

} // namespace
