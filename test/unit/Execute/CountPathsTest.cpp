//===- CountPathsTest.cpp - What warps execute is counted -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "gpuocc/Kernel/ExecutedCounts.h"
#include "gmock/gmock.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A kernel that runs, and what its warps execute; no blocks where nothing was
/// written.
class Telling : public KeptRun<&ExecuteLaunch::PathsFile> {
public:
  using KeptRun::KeptRun;

  template <typename... T>
  ExecutedCounts run(ExecuteExtent Grid, ExecuteExtent Block, T... Arguments) {
    Expected<ExecutedCounts> Read =
        ExecutedCounts::load(launch(Grid, Block, Arguments...));
    if (Read)
      return std::move(*Read);
    consumeError(Read.takeError());
    return {};
  }
};

/// Each thread goes on until a word of its own is halved to 0.
constexpr StringLiteral HalvedWords = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %words, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %words, i32 %t
  %word = load i32, ptr %p
  br label %loop
loop:
  %w = phi i32 [ %word, %entry ], [ %half, %loop ]
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %half = lshr i32 %w, 1
  %next = add i32 %n, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %end
end:
  %i = mul i32 %t, 2
  %o = getelementptr i32, ptr %out, i32 %i
  store i32 %next, ptr %o
  ret void
}
)";

TEST(CountPaths, AWarpGoesOnWithItsLongestLane) {
  Telling K(HalvedWords);
  // Two warps: lanes with 1 bit, and one with 10; lanes with 3 bits.
  alignas(32) int Words[64], Out[128] = {};
  std::fill(Words, Words + 32, 1);
  std::fill(Words + 32, Words + 64, 4);
  Words[7] = 1 << 9;
  const ExecutedCounts C = K.run({1, 1, 1}, {64, 1, 1}, &Words[0], &Out[0]);
  EXPECT_EQ(Out[14], 10);
  EXPECT_EQ(C.NumWarps, 2u);
  EXPECT_TRUE(C.IsWholeGrid);
  ASSERT_EQ(C.Blocks.size(), 3u);
  EXPECT_EQ(C.Blocks[0],
            (ExecutedBlock{{1}, 2, 0, 64, {{4, ExecutedKind::Load, 2, 8}}}));
  EXPECT_EQ(C.Blocks[1], (ExecutedBlock{{1, 2}, 13, 1, 32 + 9 + 96, {}}));
  EXPECT_EQ(C.Blocks[2],
            (ExecutedBlock{{}, 2, 0, 64, {{4, ExecutedKind::Store, 2, 16}}}));
}

/// SidesThatPart that part the lanes, of which one parts them again, and ends
/// some.
constexpr StringLiteral SidesThatPart = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr i32, ptr %out, i32 %t
  %odd = trunc i32 %t to i1
  br i1 %odd, label %one, label %two
one:
  %few = icmp ult i32 %t, 5
  br i1 %few, label %end, label %more
more:
  store i32 1, ptr %o
  br label %join
two:
  store i32 2, ptr %o
  br label %join
join:
  store i32 3, ptr %o
  br label %end
end:
  ret void
}
)";

TEST(CountPaths, LanesMeetAtThePostDominator) {
  Telling K(SidesThatPart);
  alignas(32) int Out[32] = {};
  const ExecutedCounts C = K.run({1, 1, 1}, {32, 1, 1}, &Out[0]);
  ASSERT_EQ(C.Blocks.size(), 6u);
  EXPECT_EQ(C.Blocks[0].Partings, 1u);
  unsigned NumJoins = 0;
  for (const ExecutedBlock &B : C.Blocks)
    if (!B.Accesses.empty() && B.Successors.size() == 1 &&
        B.Accesses[0].Requests == 2)
      ++NumJoins;
  // The way from 'one' to the end goes by 'join', so that lanes meet behind it
  // only, as a reader of the code sees it.
  EXPECT_EQ(NumJoins, 1u);
}

/// A lane that has met its number twice, of four, leaves the loop.
constexpr StringLiteral LeavesBetween = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = and i32 %t, 3
  br label %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %c = phi i32 [ 0, %entry ], [ %now, %latch ]
  %turn = and i32 %i, 3
  %hit = icmp eq i32 %turn, %own
  br i1 %hit, label %then, label %latch
then:
  %more = add i32 %c, 1
  %leaves = icmp eq i32 %more, 2
  br i1 %leaves, label %end, label %latch
latch:
  %now = phi i32 [ %c, %header ], [ %more, %then ]
  %next = add i32 %i, 1
  %goes = icmp ult i32 %next, 100
  br i1 %goes, label %header, label %end
end:
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %i, ptr %p
  ret void
}
)";

TEST(CountPaths, LanesOfALoopMeetAtItsHeader) {
  Telling K(LeavesBetween);
  alignas(32) int Out[32] = {};
  const ExecutedCounts C = K.run({1, 1, 1}, {32, 1, 1}, &Out[0]);
  EXPECT_EQ(Out[6], 6);
  std::vector<uint64_t> Executions;
  for (const ExecutedBlock &B : C.Blocks)
    Executions.push_back(B.Executions);
  // 8 turns; who hits comes to the latch apart in the first 4, and no lane is
  // left in the last.
  EXPECT_THAT(Executions, testing::UnorderedElementsAre(1u, 8u, 8u, 11u, 1u));
}

} // namespace
