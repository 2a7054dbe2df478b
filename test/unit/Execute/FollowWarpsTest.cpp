//===- FollowWarpsTest.cpp - Warps that run ahead of a launch -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "gpuocc/Kernel/ExecutedCounts.h"
#include "gmock/gmock.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// A kernel that runs, and what its warps execute that run ahead; no blocks
/// where nothing was written.
class Following : public KeptRun<&ExecuteLaunch::FollowedFile> {
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

/// Each thread takes as many turns as \p words say of its block, and counts
/// them in a word of all.
constexpr StringLiteral TurnsOfBlocks = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %words, ptr %sum) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr i32, ptr %words, i32 %b
  %turns = load i32, ptr %p
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %loop ]
  %old = atomicrmw add ptr %sum, i32 1 monotonic
  %next = add i32 %n, 1
  %more = icmp slt i32 %next, %turns
  br i1 %more, label %loop, label %end
end:
  ret void
}
)";

TEST(FollowWarps, LeavesMemoryToTheLaunch) {
  Following K(TurnsOfBlocks);
  int Words[3] = {2, 5, 8}, Sum = 0;
  const ExecutedCounts C = K.run({3, 1, 1}, {64, 1, 1}, &Words[0], &Sum);
  EXPECT_EQ(Sum, 64 * 15);
  EXPECT_EQ(C.NumWarps, 6u);
  EXPECT_TRUE(C.IsWholeGrid);
  ASSERT_EQ(C.Blocks.size(), 3u);
  EXPECT_EQ(C.Blocks[1], (ExecutedBlock{{1, 2}, 30, 0, 30 * 32, {}}));
}

TEST(FollowWarps, FewerWarpsOfABlockStandForAll) {
  Following K(TurnsOfBlocks);
  // A block may tell half a million events, which three of its warps do.
  constexpr int Turns = 5000;
  int Words[4] = {Turns, Turns, Turns, Turns}, Sum = 0;
  const ExecutedCounts C = K.run({4, 1, 1}, {1024, 1, 1}, &Words[0], &Sum);
  EXPECT_EQ(Sum, 4 * 1024 * Turns);
  EXPECT_EQ(C.NumWarps, 128u);
  EXPECT_FALSE(C.IsWholeGrid);
  EXPECT_EQ(C.SampledError, 0);
  ASSERT_EQ(C.Blocks.size(), 3u);
  EXPECT_EQ(C.Blocks[1].Executions, uint64_t(128) * Turns);
}

TEST(FollowWarps, BlocksThatDifferHaveAnError) {
  Following K(TurnsOfBlocks);
  std::vector<int> Words(1000, 1);
  for (int I = 0; I != 500; ++I)
    Words[2 * I] = 3;
  int Sum = 0;
  const ExecutedCounts C = K.run({1000, 1, 1}, {32, 1, 1}, &Words[0], &Sum);
  EXPECT_EQ(C.NumWarps, 192u);
  EXPECT_FALSE(C.IsWholeGrid);
  EXPECT_GT(C.SampledError, 0.01);
  EXPECT_LT(C.SampledError, 0.03);
}

/// Code whose warps execute twice as many blocks.
constexpr StringLiteral TurnsInTwoSteps = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %words, ptr %sum) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %p = getelementptr i32, ptr %words, i32 %b
  %turns = load i32, ptr %p
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %next, %second ]
  %next = add i32 %n, 1
  %odd = and i32 %n, 1
  %isodd = icmp ne i32 %odd, 0
  br i1 %isodd, label %first, label %second
first:
  %old = atomicrmw add ptr %sum, i32 1 monotonic
  br label %second
second:
  %more = icmp slt i32 %next, %turns
  br i1 %more, label %loop, label %end
end:
  ret void
}
)";

TEST(FollowWarps, RunTheCodeThatIsPriced) {
  auto Run = cantFail(Executor::create({2, /*TellsPaths=*/false}));
  const unsigned Module = cantFail(
      Run->addModule(deviceCode(TurnsOfBlocks), deviceCode(TurnsInTwoSteps)));
  SmallString<128> Path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("gpuocc", "bin", Path));
  int Words[1] = {6}, Sum = 0;
  int *WordsAt = Words, *SumAt = &Sum;
  void *Arguments[] = {&WordsAt, &SumAt};
  ExecuteLaunch L;
  L.Grid = {1, 1, 1};
  L.Block = {32, 1, 1};
  L.Arguments = Arguments;
  L.FollowedFile = Path.str();
  EXPECT_EQ(toString(Run->launch(Module, "k", L)), "");
  EXPECT_EQ(Sum, 32 * 6);
  Expected<ExecutedCounts> C = ExecutedCounts::load(Path);
  ASSERT_TRUE(bool(C)) << toString(C.takeError());
  EXPECT_EQ(C->Blocks.size(), 5u);
  sys::fs::remove(Path);
}

/// A block waits for what another one writes.
constexpr StringLiteral WaitsForOthers = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %flag, ptr %out) {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %isfirst = icmp eq i32 %b, 0
  br i1 %isfirst, label %write, label %loop
write:
  store atomic i32 1, ptr %flag monotonic, align 4
  br label %end
loop:
  %seen = load atomic i32, ptr %flag monotonic, align 4
  %iszero = icmp eq i32 %seen, 0
  br i1 %iszero, label %loop, label %end
end:
  ret void
}
)";

TEST(FollowWarps, TheLaunchRunsWhateverHappensAhead) {
  Following K(WaitsForOthers, /*NumWorkers=*/2);
  int Flag = 0, Out = 0;
  K.run({400, 1, 1}, {32, 1, 1}, &Flag, &Out);
  EXPECT_EQ(Flag, 1);
}

} // namespace
