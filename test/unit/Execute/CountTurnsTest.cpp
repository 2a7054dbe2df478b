//===- CountTurnsTest.cpp - Turns of loops are counted --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "gpuocc/Kernel/CountedTurns.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A kernel that runs, and the turns of its loops; no loops where none was
/// written.
class Turning : public KeptRun<&ExecuteLaunch::TurnsFile> {
public:
  using KeptRun::KeptRun;

  template <typename... T>
  CountedTurns run(ExecuteExtent Grid, ExecuteExtent Block, T... Arguments) {
    Expected<CountedTurns> Read =
        CountedTurns::load(launch(Grid, Block, Arguments...));
    if (Read)
      return std::move(*Read);
    consumeError(Read.takeError());
    return {};
  }
};

/// Each thread of the grid goes on until a word of its own is halved to 0: as
/// often as it has bits, once at least.
constexpr StringLiteral BitsOfWords = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define ptx_kernel void @k(ptr %words, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %d
  %i = add i32 %first, %t
  %p = getelementptr i32, ptr %words, i32 %i
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
  %o = getelementptr i32, ptr %out, i32 %i
  store i32 %next, ptr %o
  ret void
}
)";

TEST(CountTurns, TheLongestLaneIsTheWarp) {
  Turning K(BitsOfWords);
  // Two warps: lanes with 1 bit, and one with 10; lanes with 3 bits.
  std::vector<int> Words(64, 1), Out(64);
  Words[7] = 1 << 9;
  std::fill(Words.begin() + 32, Words.end(), 4);
  const CountedTurns T = K.run({1, 1, 1}, {64, 1, 1}, &Words[0], &Out[0]);
  EXPECT_EQ(Out[7], 10);
  ASSERT_EQ(T.Loops.size(), 1u);
  EXPECT_EQ(T.Loops[0].All, (TurnCount{2, 13, 3 + 41. / 32}));
  EXPECT_EQ(T.ofWarp(0, 0, {0}), (TurnCount{1, 10, 41. / 32}));
  EXPECT_EQ(T.ofWarp(0, 1, {0}), (TurnCount{1, 3, 3}));
}

TEST(CountTurns, BlocksThatTurnMostAreKnown) {
  Turning K(BitsOfWords, 2);
  constexpr unsigned NumBlocks = 3000, Long = 1234;
  std::vector<int> Words(32 * NumBlocks, 1), Out(32 * NumBlocks);
  Words[32 * Long + 5] = 1 << 29;
  const CountedTurns T =
      K.run({NumBlocks, 1, 1}, {32, 1, 1}, Words.data(), Out.data());
  ASSERT_EQ(T.Loops.size(), 1u);
  EXPECT_EQ(T.Loops[0].All.Entries, NumBlocks);
  EXPECT_EQ(T.Loops[0].All.Turns, NumBlocks + 29);
  EXPECT_EQ(T.ofWarp(Long, 0, {0})->Turns, 30);
  EXPECT_LT(T.Blocks.size(), 300u);
}

/// Rows: thread t turns in(t) times in an inner loop, whose turns are read
/// from a table, for each of 100 rows.
constexpr StringLiteral NestedLoops = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %lengths, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %row
row:
  %r = phi i32 [ 0, %entry ], [ %r1, %behind ]
  %s = phi i32 [ 0, %entry ], [ %sum, %behind ]
  %turn = add i32 %r, %t
  %at = and i32 %turn, 31
  %p = getelementptr i32, ptr %lengths, i32 %at
  %length = load i32, ptr %p
  br label %loop
loop:
  %n = phi i32 [ 0, %row ], [ %next, %loop ]
  %q = getelementptr i32, ptr %out, i32 %t
  store volatile i32 %n, ptr %q
  %next = add i32 %n, 1
  %more = icmp slt i32 %next, %length
  br i1 %more, label %loop, label %behind
behind:
  %sum = add i32 %s, %next
  %r1 = add i32 %r, 1
  %rows = icmp slt i32 %r1, 100
  br i1 %rows, label %row, label %end
end:
  ret void
}
)";

TEST(CountTurns, LanesMeetInEachTurnOfTheLoopAround) {
  Turning K(NestedLoops);
  // In each row another lane is the longest.
  std::vector<int> Lengths(32), Out(32);
  std::iota(Lengths.begin(), Lengths.end(), 1);
  const CountedTurns T = K.run({1, 1, 1}, {32, 1, 1}, &Lengths[0], &Out[0]);
  // The loop of 100 rows is the launch's own.
  ASSERT_EQ(T.Loops.size(), 1u);
  EXPECT_NEAR(T.Loops[0].All.Entries, 100, 1e-9);
  EXPECT_NEAR(T.Loops[0].All.Turns, 3200, 1e-9);
  EXPECT_NEAR(T.Loops[0].All.MeanLaneTurns, 1650, 1e-9);
}

TEST(CountTurns, WordsOfSharedMemoryAreData) {
  // Threads go up to a bound that thread 0 has put into shared memory.
  Turning K(R"(
@bound = internal addrspace(3) global i32 poison
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k(ptr %to, ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %put, label %join
put:
  %n = load i32, ptr %to
  store i32 %n, ptr addrspace(3) @bound
  br label %join
join:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %last = load i32, ptr addrspace(3) @bound
  br label %loop
loop:
  %i = phi i32 [ %t, %join ], [ %next, %loop ]
  %p = getelementptr i32, ptr %out, i32 %i
  store volatile i32 1, ptr %p
  %next = add i32 %i, %d
  %more = icmp slt i32 %next, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}
)");
  int Last = 100;
  std::vector<int> Out(128);
  const CountedTurns T = K.run({1, 1, 1}, {32, 1, 1}, &Last, &Out[0]);
  ASSERT_EQ(T.Loops.size(), 1u);
  // 0, 32, 64, 96 by the first four lanes.
  EXPECT_EQ(T.Loops[0].All, (TurnCount{1, 4, 3 + 4. / 32}));
}

TEST(CountTurns, TurnsThatAreHandedOutAreShared) {
  // A block counts up a number that all of them have, until there is no work.
  Turning K(R"(
define ptx_kernel void @k(ptr %queue, i32 %numbers) {
entry:
  br label %loop
loop:
  %mine = atomicrmw add ptr %queue, i32 1 monotonic
  %more = icmp slt i32 %mine, %numbers
  br i1 %more, label %loop, label %end
end:
  ret void
}
)");
  constexpr unsigned NumBlocks = 4;
  int Queue = 0;
  const CountedTurns T = K.run({NumBlocks, 1, 1}, {1, 1, 1}, &Queue, int(100));
  ASSERT_EQ(T.Loops.size(), 1u);
  EXPECT_EQ(T.Loops[0].All.Turns, 100 + NumBlocks);
  for (unsigned B = 0; B != NumBlocks; ++B)
    EXPECT_EQ(T.ofWarp(B, 0, {0})->Turns, 26) << B;
}

TEST(CountTurns, AtomicsThatEndNoLoopShareNoTurns) {
  // Blocks number what they keep, and have work of their own.
  Turning K(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %lengths, ptr %count, ptr %out) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr i32, ptr %lengths, i32 %b
  %length = load i32, ptr %p
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %place = atomicrmw add ptr %count, i32 1 monotonic
  %q = getelementptr i32, ptr %out, i32 %place
  store i32 %n, ptr %q
  %next = add i32 %n, 1
  %more = icmp slt i32 %next, %length
  br i1 %more, label %loop, label %end
end:
  ret void
}
)");
  int Lengths[] = {2, 9}, Count = 0, Out[11];
  const CountedTurns T =
      K.run({2, 1, 1}, {1, 1, 1}, &Lengths[0], &Count, &Out[0]);
  ASSERT_EQ(T.Loops.size(), 1u);
  EXPECT_EQ(T.ofWarp(0, 0, {0})->Turns, 2);
  EXPECT_EQ(T.ofWarp(1, 0, {0})->Turns, 9);
}

TEST(CountTurns, LoopsThatWaitAreNotCounted) {
  Turning K(R"(
define ptx_kernel void @k(ptr %flag, i32 %n) {
entry:
  br label %own
own:
  %i = phi i32 [ 0, %entry ], [ %i1, %own ]
  store volatile i32 1, ptr %flag
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %own, label %wait
wait:
  %f = load volatile i32, ptr %flag
  %set = icmp ne i32 %f, 0
  br i1 %set, label %end, label %wait
end:
  ret void
}
)");
  int Flag = 0;
  EXPECT_TRUE(K.run({2, 1, 1}, {32, 1, 1}, &Flag, 5).Loops.empty());
}

TEST(CountTurns, LoopsThatGetOnWhenOthersDoAreNotCounted) {
  // Each of 3 turns is tried again until the flag is set.
  Turning K(R"(
define ptx_kernel void @k(ptr %flag, ptr %n) {
entry:
  store volatile i32 1, ptr %flag
  %last = load i32, ptr %n
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %behind ]
  %f = load volatile i32, ptr %flag
  %set = icmp ne i32 %f, 0
  br i1 %set, label %on, label %behind
on:
  %i1 = add i32 %i, 1
  br label %behind
behind:
  %next = phi i32 [ %i, %loop ], [ %i1, %on ]
  %more = icmp slt i32 %next, %last
  br i1 %more, label %loop, label %end
end:
  ret void
}
)");
  int Flag = 0, Last = 3;
  EXPECT_TRUE(K.run({2, 1, 1}, {32, 1, 1}, &Flag, &Last).Loops.empty());
}

} // namespace
