//===- WatchReadsTest.cpp - What threads read is kept ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "gpuocc/Kernel/SeenReads.h"
#include "gmock/gmock.h"

using namespace gpuocc;
using namespace llvm;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// A kernel that runs, and what its threads read.
class Watched : public KeptRun<&ExecuteLaunch::SeenFile> {
public:
  using KeptRun::KeptRun;

  template <typename... T>
  SeenReads run(ExecuteExtent Grid, ExecuteExtent Block, T... Arguments) {
    return cantFail(SeenReads::load(launch(Grid, Block, Arguments...)));
  }
};

template <typename T> uint64_t addressOf(const T &V) {
  return reinterpret_cast<uint64_t>(&V);
}

TEST(WatchReads, LoadsAndWhatAtomicsReturnAreKept) {
  Watched K(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %count, ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %old = atomicrmw add ptr %count, i32 2 monotonic
  %i = getelementptr i16, ptr %in, i32 %t
  %v = load i16, ptr %i
  %w = zext i16 %v to i32
  %sum = add i32 %old, %w
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %sum, ptr %o
  ret void
}
)");
  int Count = 10, Out[4] = {};
  short In[4] = {1, 2, 3, 4};
  const SeenReads Seen = K.run({1, 1, 1}, {4, 1, 1}, &Count, &In[0], &Out[0]);
  EXPECT_THAT(Out, ElementsAre(11, 14, 17, 20));
  EXPECT_THAT(Seen.numbers(), ElementsAre(0));
  EXPECT_FALSE(Seen.isCut());
  EXPECT_THAT(Seen.find(0, 0, addressOf(Count), 4), ElementsAre(10));
  EXPECT_THAT(Seen.find(0, 3, addressOf(Count), 4), ElementsAre(16));
  EXPECT_THAT(Seen.find(0, 2, addressOf(In[2]), 2), ElementsAre(3));
  EXPECT_THAT(Seen.find(0, 2, addressOf(In[1]), 2), IsEmpty());
}

TEST(WatchReads, BlocksAreSpreadOverTheGrid) {
  Watched K(R"(
define ptx_kernel void @k(ptr %in) {
  %v = load volatile i32, ptr %in
  ret void
}
)",
            2);
  int In = 3;
  const SeenReads Seen = K.run({10000, 1, 1}, {32, 1, 1}, &In);
  ASSERT_GT(Seen.numbers().size(), 100u);
  ASSERT_LT(Seen.numbers().size(), 1000u);
  EXPECT_LT(Seen.numbers().front(), 100u);
  EXPECT_GT(Seen.numbers().back(), 9900u);
  for (uint64_t Number : Seen.numbers())
    EXPECT_THAT(Seen.find(Number, 31, addressOf(In), 4), ElementsAre(3));
}

TEST(WatchReads, BlocksOfManyReadsStandForOthersAndAreWhole) {
  // Each thread reads 4096 words of its own. Loads are volatile, so blocks take
  // turns.
  Watched K(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %in) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %t, 4096
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %i = add i32 %first, %n
  %p = getelementptr i32, ptr %in, i32 %i
  %v = load volatile i32, ptr %p
  %next = add i32 %n, 1
  %more = icmp slt i32 %next, 4096
  br i1 %more, label %loop, label %end
end:
  ret void
}
)");
  std::vector<int> In(32 * 4096, 7);
  const SeenReads Seen = K.run({64, 1, 1}, {32, 1, 1}, In.data());
  EXPECT_FALSE(Seen.isCut());
  EXPECT_GE(Seen.numbers().size(), 8u);
  EXPECT_LE(Seen.numbers().size(), 16u);
  EXPECT_GE(Seen.numbers().back(), 48u);
  for (uint64_t Number : Seen.numbers())
    EXPECT_THAT(Seen.find(Number, 31, addressOf(In.back()), 4), ElementsAre(7));
}

TEST(WatchReads, AllThreadsDrawFromAQueue) {
  // Each of 512 threads draws until 4096 items are gone, and counts its own.
  Watched K(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %head, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %b, 64
  %i = add i32 %first, %t
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %more ]
  %item = atomicrmw add ptr %head, i32 1 monotonic
  %in = icmp slt i32 %item, 4096
  br i1 %in, label %more, label %end
more:
  %next = add i32 %n, 1
  br label %loop
end:
  %o = getelementptr i32, ptr %out, i32 %i
  store i32 %n, ptr %o
  ret void
}
)");
  int Head = 0, Out[512] = {};
  K.run({8, 1, 1}, {64, 1, 1}, &Head, &Out[0]);
  EXPECT_THAT(Out,
              testing::Each(testing::AllOf(testing::Ge(6), testing::Le(10))));
}

/// Blocks of which one thread draws what all of them work on, until \p Items
/// are gone; each stores how much it drew.
static constexpr StringLiteral DrawsForItsBlock = R"(
@at = internal addrspace(3) global i32 undef
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent
define ptx_kernel void @k(ptr %head, i32 %items, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = icmp eq i32 %t, 0
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %more ]
  br i1 %first, label %draw, label %meet
draw:
  %item = atomicrmw add ptr %head, i32 1 monotonic
  store i32 %item, ptr addrspace(3) @at
  br label %meet
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %mine = load i32, ptr addrspace(3) @at
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %in = icmp slt i32 %mine, %items
  br i1 %in, label %more, label %end
more:
  %next = add i32 %n, 1
  br label %loop
end:
  %o = getelementptr i32, ptr %out, i32 %b
  store i32 %n, ptr %o
  ret void
}
)";

TEST(WatchReads, BlocksThatMeetDrawInTurn) {
  Watched K(DrawsForItsBlock);
  int Head = 0, Out[64] = {};
  K.run({64, 1, 1}, {64, 1, 1}, &Head, 640, &Out[0]);
  EXPECT_THAT(Out, testing::Each(10));
}

TEST(WatchReads, BlocksThatADeviceHasNoRoomForDrawNothing) {
  // 264 blocks of 1024 threads are on an H200 at a time.
  constexpr unsigned NumBlocks = 300;
  Watched K(DrawsForItsBlock);
  int Head = 0;
  std::vector<int> Out(NumBlocks);
  K.run({NumBlocks, 1, 1}, {1024, 1, 1}, &Head, 264 * 3, Out.data());
  EXPECT_THAT(ArrayRef(Out).take_front(264), testing::Each(3));
  EXPECT_THAT(ArrayRef(Out).drop_front(264), testing::Each(0));
}

TEST(WatchReads, AThreadThatHadItsTurnGoesOnWhereOthersLookForWhatItDoes) {
  // Lane 0 draws and tells lane 1, which waits for it without meeting.
  Watched K(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %head, ptr %told) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %draw, label %look
draw:
  %item = atomicrmw add ptr %head, i32 1 monotonic
  %more = icmp slt i32 %item, 9
  br i1 %more, label %draw, label %tell
tell:
  store atomic i32 1, ptr %told monotonic, align 4
  br label %end
look:
  %is = load atomic i32, ptr %told monotonic, align 4
  %not = icmp eq i32 %is, 0
  br i1 %not, label %look, label %end
end:
  ret void
}
)");
  int Head = 0, Told = 0;
  K.run({1, 1, 1}, {2, 1, 1}, &Head, &Told);
  EXPECT_EQ(Told, 1);
  EXPECT_EQ(Head, 10);
}

TEST(WatchReads, TheBlockThatEndsLastIsSeenOnSeveralCores) {
  // Some blocks take longer than all behind them.
  constexpr StringLiteral Code = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %ended) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %part = and i32 %b, 127
  %long = icmp eq i32 %part, 100
  %turns = select i1 %long, i32 3000000, i32 1
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %h = phi i32 [ 1, %entry ], [ %mixed, %loop ]
  %m = mul i32 %h, 1664525
  %x = lshr i32 %m, 3
  %mixed = xor i32 %x, %n
  %next = add i32 %n, 1
  %more = icmp slt i32 %next, %turns
  br i1 %more, label %loop, label %end
end:
  %zero = and i32 %mixed, 0
  %one = add i32 %zero, 1
  %old = atomicrmw add ptr %ended, i32 %one monotonic
  ret void
}
)";
  constexpr unsigned NumBlocks = 1000;
  Watched K(Code, 4);
  unsigned Ended = 0;
  const SeenReads Seen = K.run({NumBlocks, 1, 1}, {32, 1, 1}, &Ended);
  EXPECT_EQ(Ended, NumBlocks * 32);
  unsigned Last = 0;
  for (uint64_t Number : Seen.numbers())
    for (uint32_t Rank = 0; Rank != 32; ++Rank)
      for (uint32_t Old : Seen.find(Number, Rank, addressOf(Ended), 4))
        Last = std::max(Last, Old);
  EXPECT_EQ(Last, NumBlocks * 32 - 1);
}

} // namespace
