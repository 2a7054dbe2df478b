//===- ExecutorTest.cpp - Kernels run on the host -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "gmock/gmock.h"
#include <cmath>
#include <cstring>
#include <numeric>

using namespace gpuocc;
using namespace llvm;
using testing::HasSubstr;

namespace {

/// out[global thread] = value of %v, computed by Body from the thread's number
/// %i and the value %x of in[%i].
std::string mapKernel(StringRef Body, StringRef Type = "i32",
                      StringRef Declarations = "") {
  return (Declarations + R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
define ptx_kernel void @k(ptr %out, ptr %in) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ctaid = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %ctaid, %ntid
  %i = add i32 %base, %tid
  %from = getelementptr )" +
          Type + R"(, ptr %in, i32 %i
  %x = load )" +
          Type + R"(, ptr %from
)" + Body +
          R"(
  %to = getelementptr )" +
          Type + R"(, ptr %out, i32 %i
  store )" +
          Type + R"( %v, ptr %to
  ret void
}
)")
      .str();
}

template <typename T>
std::vector<T> mapped(StringRef Code, const std::vector<T> &In,
                      unsigned Block = 64) {
  KernelRun K(Code);
  std::vector<T> Out(In.size(), T(77));
  EXPECT_EQ(K.launch("k", {uint32_t(In.size()) / Block, 1, 1}, {Block, 1, 1},
                     Out.data(), In.data()),
            "");
  return Out;
}

std::vector<int> counting(unsigned N) {
  std::vector<int> In(N);
  std::iota(In.begin(), In.end(), 0);
  return In;
}

} // namespace

TEST(Executor, ThreadsKnowWhereTheyAre) {
  const std::vector<int> Out = mapped(
      mapKernel("%y = mul i32 %x, 3\n %v = add i32 %y, %tid"), counting(256));
  for (int I = 0; I != 256; ++I)
    EXPECT_EQ(Out[size_t(I)], 3 * I + I % 64);
}

TEST(Executor, ThreeDimensionsAreCountedXFirst) {
  KernelRun K(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
define ptx_kernel void @k(ptr %out) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpid()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %w32 = mul i32 %warp, 32
  %i = add i32 %w32, %lane
  %b = mul i32 %block, 60
  %at = add i32 %i, %b
  %y5 = mul i32 %y, 5
  %z20 = mul i32 %z, 20
  %xy = add i32 %x, %y5
  %xyz = add i32 %xy, %z20
  %p = getelementptr i32, ptr %out, i32 %at
  store i32 %xyz, ptr %p
  ret void
}
)");
  std::vector<int> Out(120, -1);
  EXPECT_EQ(K.launch("k", {1, 2, 1}, {5, 4, 3}, Out.data()), "");
  for (int I = 0; I != 120; ++I)
    EXPECT_EQ(Out[size_t(I)], I % 60);
}

TEST(Executor, BarriersOrderSharedMemory) {
  KernelRun K(R"(
@s = internal addrspace(3) global [256 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr [256 x i32], ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 0, i32 %t
  store i32 %t, ptr %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = sub i32 255, %t
  %q = getelementptr [256 x i32], ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 0, i32 %r
  %v = load i32, ptr %q
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}
)");
  std::vector<int> Out(256, -1);
  EXPECT_EQ(K.launch("k", {}, {256, 1, 1}, Out.data()), "");
  for (int I = 0; I != 256; ++I)
    EXPECT_EQ(Out[size_t(I)], 255 - I);
  EXPECT_TRUE(cantFail(K.Run->hasStacks(K.Module, "k")));
}

TEST(Executor, DynamicSharedMemoryFollowsTheVariables) {
  KernelRun K(R"(
@s = internal addrspace(3) global [8 x i32] undef, align 4
@d = external addrspace(3) global [0 x i32], align 4
declare i32 @llvm.nvvm.read.ptx.sreg.dynamic.smem.size()
define ptx_kernel void @k(ptr %out) {
  store i32 1, ptr addrspace(3) @s
  store i32 2, ptr addrspace(3) getelementptr ([0 x i32], ptr addrspace(3) @d, i32 0, i32 999)
  %a = load i32, ptr addrspace(3) @s
  %b = load i32, ptr addrspace(3) getelementptr ([0 x i32], ptr addrspace(3) @d, i32 0, i32 999)
  %size = call i32 @llvm.nvvm.read.ptx.sreg.dynamic.smem.size()
  %ab = mul i32 %a, %b
  %v = add i32 %ab, %size
  store i32 %v, ptr %out
  ret void
}
)");
  K.DynamicSharedBytes = 4000;
  int Out = 0;
  EXPECT_EQ(K.launch("k", {}, {}, &Out), "");
  EXPECT_EQ(Out, 4002);
  EXPECT_FALSE(cantFail(K.Run->hasStacks(K.Module, "k")));
}

TEST(Executor, BarriersCountPredicates) {
  KernelRun K(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32, i1)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %small = icmp ult i32 %t, 37
  %count = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %small)
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %small)
  %all = call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 0, i1 %small)
  %a = select i1 %any, i32 1000, i32 0
  %b = select i1 %all, i32 2000, i32 0
  %ab = add i32 %a, %b
  %v = add i32 %ab, %count
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}
)");
  std::vector<int> Out(96, -1);
  EXPECT_EQ(K.launch("k", {}, {96, 1, 1}, Out.data()), "");
  EXPECT_EQ(Out, std::vector<int>(96, 1037));
}

TEST(Executor, LanesThatEndedDoNotHoldOthersUp) {
  KernelRun K(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %gone = icmp uge i32 %t, 40
  br i1 %gone, label %end, label %work
work:
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %b, ptr %o
  br label %end
end:
  ret void
}
)");
  std::vector<int> Out(64, 5);
  EXPECT_EQ(K.launch("k", {}, {64, 1, 1}, Out.data()), "");
  EXPECT_EQ(Out[0], -1);
  EXPECT_EQ(Out[39], 0xff);
  EXPECT_EQ(Out[40], 5);
}

TEST(Executor, BallotsOfLanesBelowTheirOwnAreCutToTheirMask) {
  // A mask that leaves its own lane out, as in a prefix sum of predicates.
  KernelRun K(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bit = shl i32 1, %t
  %below = sub i32 %bit, 1
  %third = urem i32 %t, 3
  %p = icmp eq i32 %third, 0
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 %below, i1 %p)
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %b, ptr %o
  ret void
}
)");
  std::vector<uint32_t> Out(32, 7);
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, Out.data()), "");
  constexpr uint32_t Thirds = 0x49249249;
  for (unsigned I = 0; I != 32; ++I)
    EXPECT_EQ(Out[I], Thirds & ((1u << I) - 1)) << I;
}

TEST(Executor, ShufflesMoveFloatsAndTellWhichAreInside) {
  const std::vector<float> Out = mapped<float>(
      mapKernel(R"(
  %r = call { float, i1 } @llvm.nvvm.shfl.sync.down.f32p(i32 -1, float %x, i32 4, i32 31)
  %y = extractvalue { float, i1 } %r, 0
  %p = extractvalue { float, i1 } %r, 1
  %v = select i1 %p, float %y, float -1.0
)",
                "float",
                "declare { float, i1 } @llvm.nvvm.shfl.sync.down.f32p(i32, "
                "float, i32, i32)"),
      {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
       16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31},
      32);
  for (int I = 0; I != 32; ++I)
    EXPECT_EQ(Out[size_t(I)], I < 28 ? float(I + 4) : -1.0f);
}

TEST(Executor, ActiveMaskIsTheSideOfTheBranch) {
  const std::vector<int> Out =
      mapped<int>(mapKernel(R"(
  %odd = and i32 %x, 1
  %c = icmp eq i32 %odd, 0
  br i1 %c, label %then, label %else
then:
  %m = call i32 @llvm.nvvm.activemask()
  br label %join
else:
  %n = call i32 @llvm.nvvm.activemask()
  br label %join
join:
  %v = phi i32 [ %m, %then ], [ %n, %else ]
)",
                            "i32", "declare i32 @llvm.nvvm.activemask()"),
                  counting(32), 32);
  for (size_t I = 0; I != 32; ++I)
    EXPECT_EQ(unsigned(Out[I]), I % 2 ? 0xaaaaaaaau : 0x55555555u);
}

TEST(Executor, VotesWithoutMaskAreOfTheSideOfTheBranch) {
  const std::vector<int> Out = mapped(mapKernel(R"(
  %low = and i32 %x, 3
  %side = icmp eq i32 %low, 0
  br i1 %side, label %then, label %else
then:
  %a = call i32 @llvm.nvvm.vote.ballot(i1 true)
  br label %join
else:
  %odd = trunc i32 %x to i1
  %ballot = call i32 @llvm.nvvm.vote.ballot(i1 %odd)
  %any = call i1 @llvm.nvvm.vote.any(i1 %odd)
  %all = call i1 @llvm.nvvm.vote.all(i1 %odd)
  %b = select i1 %all, i32 1, i32 %ballot
  %c = select i1 %any, i32 %b, i32 2
  br label %join
join:
  %v = phi i32 [ %a, %then ], [ %c, %else ]
)",
                                                "i32", R"(
declare i32 @llvm.nvvm.vote.ballot(i1)
declare i1 @llvm.nvvm.vote.any(i1)
declare i1 @llvm.nvvm.vote.all(i1)
)"),
                                      counting(64));
  for (size_t I = 0; I != 64; ++I)
    EXPECT_EQ(unsigned(Out[I]), I % 4 ? 0xaaaaaaaau : 0x11111111u);
}

TEST(Executor, AssemblyVotesWithoutMask) {
  const std::vector<int> Out = mapped(
      mapKernel("%v = call i32 asm sideeffect \"{ .reg .pred p; .reg .b32 q; "
                "and.b32 q, $1, 4; setp.ne.u32 p, q, 0; vote.ballot.b32 $0, p; "
                "}\", \"=r,r\"(i32 %x)"),
      counting(64));
  for (int V : Out)
    EXPECT_EQ(unsigned(V), 0xf0f0f0f0u);
}

TEST(Executor, AssemblyReadsTheUpperWordsOfTimes) {
  for (StringRef Names : {"globaltimer globaltimer_hi", "clock64 clock_hi"}) {
    const auto [Whole, Upper] = Names.split(' ');
    const std::string Body =
        ("%t = call i64 asm sideeffect \"mov.u64 $0, %" + Whole +
         ";\", \"=l\"()\n%h = call i32 asm sideeffect \"mov.u32 $0, %" + Upper +
         ";\", \"=r\"()\n%w = lshr i64 %t, 32\n%u = trunc i64 %w to i32\n"
         "%v = sub i32 %h, %u")
            .str();
    // They may go on between both.
    for (int V : mapped(mapKernel(Body), counting(64)))
      EXPECT_LE(unsigned(V), 1u) << Upper.str();
  }
}

TEST(Executor, ShufflesWithoutMaskMoveAsThoseWithOne) {
  // Widths of 32, 8 and 4 lanes.
  const std::vector<int> Out = mapped(mapKernel(R"(
  %s = call i32 @llvm.nvvm.shfl.bfly.i32(i32 %x, i32 1, i32 31)
  %d = call i32 @llvm.nvvm.shfl.down.i32(i32 %s, i32 1, i32 6175)
  %i4 = call i32 @llvm.nvvm.shfl.idx.i32(i32 %d, i32 1, i32 7199)
  %u = call i32 @llvm.nvvm.shfl.up.i32(i32 %x, i32 3, i32 0)
  %high = shl i32 %u, 8
  %v = or i32 %high, %i4
)",
                                                "i32", R"(
declare i32 @llvm.nvvm.shfl.bfly.i32(i32, i32, i32)
declare i32 @llvm.nvvm.shfl.down.i32(i32, i32, i32)
declare i32 @llvm.nvvm.shfl.idx.i32(i32, i32, i32)
declare i32 @llvm.nvvm.shfl.up.i32(i32, i32, i32)
)"),
                                      counting(64));
  for (int I = 0; I != 64; ++I)
    EXPECT_EQ(Out[size_t(I)], (I % 32 < 3 ? I : I - 3) << 8 | ((I & ~3) + 3));
}

TEST(Executor, AtomicsOfBlocksOnSeveralCoresAddUp) {
  KernelRun K(R"(
define ptx_kernel void @k(ptr %i, ptr %f, ptr %d) {
  %a = atomicrmw add ptr %i, i32 2 syncscope("device") monotonic
  %b = atomicrmw fadd ptr %f, float 1.0 monotonic
  %c = atomicrmw fadd ptr %d, double 0.5 monotonic
  %w = getelementptr i32, ptr %i, i32 1
  %e = atomicrmw uinc_wrap ptr %w, i32 6 monotonic
  ret void
}
)");
  int I[2] = {0, 0};
  float F = 0;
  double D = 0;
  EXPECT_EQ(K.launch("k", {100, 1, 1}, {128, 1, 1}, &I[0], &F, &D), "");
  EXPECT_EQ(I[0], 25600);
  EXPECT_EQ(I[1], 12800 % 7);
  EXPECT_EQ(F, 12800);
  EXPECT_EQ(D, 6400);
}

TEST(Executor, VolatileSharedMemoryKeepsLanesInStep) {
  // Each lane adds its left neighbour as it was before the step.
  KernelRun K(R"(
@s = internal addrspace(3) global [33 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %next = add i32 %t, 1
  %left = getelementptr [33 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  %own = getelementptr [33 x i32], ptr addrspace(3) @s, i32 0, i32 %next
  store volatile i32 100, ptr addrspace(3) @s
  store volatile i32 %t, ptr addrspace(3) %own
  %a = load volatile i32, ptr addrspace(3) %left
  %b = load volatile i32, ptr addrspace(3) %own
  %sum = add i32 %a, %b
  store volatile i32 %sum, ptr addrspace(3) %own
  %v = load volatile i32, ptr addrspace(3) %left
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}
)");
  std::vector<int> Out(32, -1);
  EXPECT_EQ(K.launch("k", {}, {32, 1, 1}, Out.data()), "");
  EXPECT_EQ(Out[1], 100);
  for (int I = 2; I != 32; ++I)
    EXPECT_EQ(Out[size_t(I)], 2 * I - 3);
}

TEST(Executor, PlainStoresFollowTheVolatileLoadsOfAllLanes) {
  // Each lane loads its right neighbour, the last one the first; then it
  // overwrites its own word.
  KernelRun K(R"(
@s = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store volatile i32 %t, ptr addrspace(3) %own
  %n = add i32 %t, 1
  %next = and i32 %n, 31
  %right = getelementptr i32, ptr addrspace(3) @s, i32 %next
  %v = load volatile i32, ptr addrspace(3) %right
  store i32 -1, ptr addrspace(3) %own
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}
)");
  std::vector<uint32_t> Out(32, 77);
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, Out.data()), "");
  for (unsigned I = 0; I != 32; ++I)
    EXPECT_EQ(Out[I], (I + 1) % 32);
}

TEST(Executor, LanesThatExchangePlainWordsLoadBeforeAnyStores) {
  // Each lane adds the word of lane ^ 1 to its own.
  KernelRun K(R"(
@s = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32) convergent
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %own
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %n = xor i32 %t, 1
  %other = getelementptr i32, ptr addrspace(3) @s, i32 %n
  %a = load i32, ptr addrspace(3) %own
  %b = load i32, ptr addrspace(3) %other
  %sum = add i32 %a, %b
  store i32 %sum, ptr addrspace(3) %own
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %sum, ptr %o
  ret void
}
)");
  std::vector<uint32_t> Out(32, 77);
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, Out.data()), "");
  for (unsigned I = 0; I != 32; ++I)
    EXPECT_EQ(Out[I], I + (I ^ 1));
}

TEST(Executor, LanesStoreWhenOthersHaveLeftTheLoopInWhichTheyLoad) {
  // Each lane adds up all words, then overwrites its own.
  KernelRun K(R"(
@s = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32) convergent
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %own
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ 0, %0 ], [ %more, %loop ]
  %word = getelementptr i32, ptr addrspace(3) @s, i32 %i
  %v = load i32, ptr addrspace(3) %word
  %more = add i32 %sum, %v
  %next = add i32 %i, 1
  %last = icmp eq i32 %next, 32
  br i1 %last, label %end, label %loop
end:
  store i32 1000, ptr addrspace(3) %own
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %more, ptr %o
  ret void
}
)");
  std::vector<uint32_t> Out(32, 77);
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, Out.data()), "");
  for (unsigned I = 0; I != 32; ++I)
    EXPECT_EQ(Out[I], 31u * 32 / 2);
}

TEST(Executor, LanesLoadWhatOthersHaveStoredBeforeTheyMetAgain) {
  // The first lane alone reads what the others store in the same step.
  KernelRun K(R"(
@s = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.bar.warp.sync(i32) convergent
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %own = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %own
  %first = icmp eq i32 %t, 0
  br i1 %first, label %read, label %end
read:
  %word = getelementptr i32, ptr addrspace(3) @s, i32 31
  %v = load i32, ptr addrspace(3) %word
  store i32 %v, ptr %out
  br label %end
end:
  ret void
}
)");
  uint32_t Out = 77;
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, &Out), "");
  EXPECT_EQ(Out, 31u);
}

TEST(Executor, LanesThatLoadTheirOwnWordsInALoopNeedNoStep) {
  KernelRun K(R"(
@s = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @s, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %v = load i32, ptr addrspace(3) %own
  %next = add i32 %i, 1
  %last = icmp eq i32 %next, 32
  br i1 %last, label %end, label %loop
end:
  store i32 %i, ptr addrspace(3) %own
  ret void
}
)");
  EXPECT_FALSE(cantFail(K.Run->hasStacks(K.Module, "k")));
}

TEST(Executor, SleepInInlineAssemblyLetsOthersRun) {
  // The first thread sleeps until the last one has stored.
  KernelRun K(R"(
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %last = icmp eq i32 %t, 31
  br i1 %last, label %store, label %look
store:
  store atomic i32 7, ptr %out monotonic, align 4
  br label %done
look:
  %v = load atomic i32, ptr %out monotonic, align 4
  %ready = icmp eq i32 %v, 7
  br i1 %ready, label %done, label %sleep
sleep:
  call void asm sideeffect "nanosleep.u32 $0;", "r"(i32 100)
  br label %look
done:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
)");
  int Out = 0;
  EXPECT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, &Out), "");
  EXPECT_EQ(Out, 7);
}

TEST(Executor, VolatileAccessesByGenericPointersKeepLanesInStep) {
  KernelRun K(R"(
@s = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 %t
  store volatile i32 %t, ptr %own
  %n = add i32 %t, 1
  %next = and i32 %n, 31
  %right = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 %next
  %v = load volatile i32, ptr %right
  store i32 -1, ptr %own
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}
)");
  std::vector<uint32_t> Out(32, 77);
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, Out.data()), "");
  for (unsigned I = 0; I != 32; ++I)
    EXPECT_EQ(Out[I], (I + 1) % 32);
}

TEST(Executor, BlocksThatWaitForEachOtherAllStart) {
  // A barrier of the grid by hand: more blocks than cores.
  KernelRun K(R"(
define ptx_kernel void @k(ptr %count, i32 %blocks, ptr %out) {
  %a = atomicrmw add ptr %count, i32 1 seq_cst
  br label %look
look:
  %n = load volatile i32, ptr %count
  %c = icmp ult i32 %n, %blocks
  br i1 %c, label %look, label %end
end:
  %b = atomicrmw add ptr %out, i32 %n seq_cst
  ret void
}
)");
  int Count = 0, Out = 0;
  EXPECT_EQ(K.launch("k", {20, 1, 1}, {}, &Count, 20, &Out), "");
  EXPECT_EQ(Count, 20);
  EXPECT_EQ(Out, 400);
}

TEST(Executor, VariablesHaveTheirInitialValuesAndAreTheHosts) {
  KernelRun K(R"(
@c = addrspace(4) externally_initialized constant [2 x i32] [i32 7, i32 9], align 4
@g = addrspace(1) externally_initialized global i32 5, align 4
@p = addrspace(1) externally_initialized global ptr addrspacecast (ptr addrspace(1) @g to ptr), align 8
@f = addrspace(1) externally_initialized global ptr @twice, align 8
define internal i32 @twice(i32 %x) noinline {
  %y = mul i32 %x, 2
  ret i32 %y
}
define ptx_kernel void @k() {
  %f = load ptr, ptr addrspace(1) @f
  %p = load ptr, ptr addrspace(1) @p
  %a = load i32, ptr %p
  %c = load i32, ptr addrspace(4) getelementptr ([2 x i32], ptr addrspace(4) @c, i32 0, i32 1)
  %b = call i32 %f(i32 %a)
  %s = add i32 %b, %c
  store i32 %s, ptr addrspacecast (ptr addrspace(1) @g to ptr)
  ret void
}
)");
  int G = -1;
  K.Run->bindVariable(K.Module, "g", &G, sizeof(G));
  ASSERT_FALSE(bool(K.Run->load(K.Module)));
  EXPECT_EQ(G, 5);
  EXPECT_EQ(K.launch("k", {}, {}), "");
  EXPECT_EQ(G, 19);
  EXPECT_EQ(*static_cast<int *>(K.Run->variable(K.Module, "g")), 19);
  EXPECT_EQ(K.Run->variable(K.Module, "none"), nullptr);
}

TEST(Executor, StructuresArePassedByValue) {
  KernelRun K(R"(
%pair = type { i32, double }
define ptx_kernel void @k(ptr byval(%pair) align 8 %s, ptr %out) {
  %x = getelementptr %pair, ptr %s, i32 0, i32 1
  %d = load double, ptr %x
  %e = fadd double %d, 1.0
  store double %e, ptr %x
  %f = load double, ptr %x
  store double %f, ptr %out
  ret void
}
)");
  struct Pair {
    int I;
    double D;
  } P = {1, 2.5};
  double Out = 0;
  EXPECT_EQ(K.launch("k", {}, {}, P, &Out), "");
  EXPECT_EQ(Out, 3.5);
}

TEST(Executor, NumbersOutOfRangeSaturate) {
  const std::vector<float> Out = mapped<float>(
      mapKernel("%n = fptosi float %x to i32\n %v = bitcast i32 %n to float",
                "float"),
      {1.9f, -1.9f, 1e20f, -1e20f, NAN, 0, 1, 2}, 8);
  int Bits[8];
  std::memcpy(Bits, Out.data(), sizeof(Bits));
  EXPECT_EQ(Bits[0], 1);
  EXPECT_EQ(Bits[1], -1);
  EXPECT_EQ(Bits[2], INT32_MAX);
  EXPECT_EQ(Bits[3], INT32_MIN);
  EXPECT_EQ(Bits[4], 0);
}

TEST(Executor, SignedNumbersWrapAround) {
  // Were the product never out of range, its square would be below 2^31, and
  // the comparison always true.
  const std::vector<int> In = {65535, 3, -70000, 46341};
  const std::vector<int> Out =
      mapped<int>(mapKernel("%s = mul nsw i32 %x, %x\n"
                            "%n = icmp sgt i32 %s, -1\n"
                            "%f = zext i1 %n to i32\n"
                            "%v = add nsw i32 %f, 0",
                            "i32"),
                  In, 4);
  for (size_t I = 0; I != In.size(); ++I)
    EXPECT_EQ(Out[I], int32_t(uint32_t(In[I]) * uint32_t(In[I])) > -1) << In[I];
}

TEST(Executor, NumbersAreRoundedToBFloatOnce) {
  // 1 + 2^-8 is halfway between two bfloats, and 1 + 3 * 2^-8.
  const std::vector<float> In = {1.5f,           1 + 0x1p-8f, 1 + 0x3p-8f,
                                 -0.0f,          3.4e38f,     -INFINITY,
                                 1 + 0x1.01p-8f, 0x1p-130f};
  const std::vector<float> Rounded = {
      1.5f, 1, 1 + 0x1p-6f, -0.0f, INFINITY, -INFINITY, 1 + 0x1p-7f, 0x1p-130f};
  EXPECT_EQ(mapped<float>(mapKernel("%n = fptrunc float %x to bfloat\n"
                                    "%v = fpext bfloat %n to float",
                                    "float"),
                          In, 8),
            Rounded);
  // By float on the way, the first would be halfway, and rounded to even.
  EXPECT_EQ(mapped<double>(mapKernel("%n = fptrunc double %x to bfloat\n"
                                     "%v = fpext bfloat %n to double",
                                     "double"),
                           {1 + 0x1p-8 + 0x1p-40, 1 + 0x3p-8 - 0x1p-40,
                            -1 - 0x1p-8 - 0x1p-40, 0.5},
                           4),
            (std::vector<double>{1 + 0x1p-7, 1 + 0x1p-7, -1 - 0x1p-7, 0.5}));
  // NaN stays one.
  EXPECT_TRUE(
      std::isnan(mapped<float>(mapKernel("%n = fptrunc float %x to bfloat\n"
                                         "%v = fpext bfloat %n to float",
                                         "float"),
                               {NAN}, 1)[0]));
}

TEST(Executor, ATrapEndsTheLaunch) {
  for (StringRef Meets : {"", "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"}) {
    KernelRun K(("declare void @llvm.trap()\n"
                 "declare void @llvm.nvvm.bar.warp.sync(i32)\n"
                 "define ptx_kernel void @k() {\n" +
                 Meets + "call void @llvm.trap()\n unreachable\n}\n")
                    .str());
    EXPECT_EQ(K.launch("k", {8, 1, 1}, {32, 1, 1}), "trapped");
    EXPECT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}), "trapped");
  }
}

TEST(Executor, TellsWhetherARunShows) {
  KernelRun K(R"(
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
define ptx_kernel void @stores(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @adds(ptr %p) {
  %a = atomicrmw add ptr %p, i32 1 monotonic
  ret void
}
define ptx_kernel void @times(ptr %p) {
  %t = call i64 @llvm.nvvm.read.ptx.sreg.clock64()
  store i64 %t, ptr %p
  ret void
}
)");
  EXPECT_EQ(cantFail(K.Run->effects(K.Module, "stores")), RunEffects::None);
  EXPECT_EQ(cantFail(K.Run->effects(K.Module, "adds")), RunEffects::Sharing);
  EXPECT_EQ(cantFail(K.Run->effects(K.Module, "times")), RunEffects::Others);
}

TEST(Executor, NamesWhatItCannotRun) {
  KernelRun K(R"(
declare void @elsewhere()
define ptx_kernel void @calls() {
  call void @elsewhere()
  ret void
}
define ptx_kernel void @assembles() {
  call void asm sideeffect "wibble.sync.f32 $0;", "r"(i32 1)
  ret void
}
define ptx_kernel void @runs() {
  ret void
}
)");
  EXPECT_THAT(K.launch("calls", {}, {}), HasSubstr("function 'elsewhere'"));
  // And each time again.
  EXPECT_THAT(K.launch("calls", {}, {}), HasSubstr("function 'elsewhere'"));
  EXPECT_THAT(K.launch("assembles", {}, {}), HasSubstr("wibble"));
  EXPECT_THAT(K.launch("absent", {}, {}), HasSubstr("does not define"));
  EXPECT_EQ(K.launch("runs", {}, {}), "");
  EXPECT_THAT(K.launch("runs", {}, {1025, 1, 1}), HasSubstr("1024"));
  EXPECT_THAT(K.launch("runs", {0, 1, 1}, {}), HasSubstr("a block"));
}

TEST(Executor, RefusesWhatIsNoDeviceModule) {
  auto Run = cantFail(Executor::create({1}));
  EXPECT_FALSE(
      bool(errorToBool(Run->addModule("no bitcode").takeError()) == false));
  EXPECT_THAT(toString(Run->launch(3, "k", {})), HasSubstr("no device module"));
}

TEST(Executor, InlineAssemblyIsLifted) {
  const std::vector<int> Out = mapped<int>(mapKernel(R"(
  %v = call i32 asm "{ .reg .u32 t; add.u32 t, $1, $2; mul.lo.u32 $0, t, 3; }", "=r,r,n"(i32 %x, i32 5)
)"),
                                           counting(64));
  for (int I = 0; I != 64; ++I)
    EXPECT_EQ(Out[size_t(I)], (I + 5) * 3);
}

TEST(Executor, CarriesGoFromOneInstructionToTheNext) {
  const std::vector<int64_t> In = {-1, 1, int64_t(1) << 62, 0x1ffffffff};
  const std::vector<int64_t> Out = mapped<int64_t>(mapKernel(R"(
  %v = call i64 asm "{ .reg .u32 a0, a1, r0, r1; mov.b64 {a0,a1}, $1; add.cc.u32 r0, a0, a0; addc.u32 r1, a1, a1; mov.b64 $0, {r0,r1}; }", "=l,l"(i64 %x)
)",
                                                             "i64"),
                                                   In, 4);
  for (size_t I = 0; I != In.size(); ++I)
    EXPECT_EQ(uint64_t(Out[I]), uint64_t(In[I]) * 2);
}

TEST(Executor, BytesOfAWordAreAddedOnTheirOwn) {
  const std::vector<int> Out = mapped<int>(
      mapKernel(R"(
  %a = call i32 asm "vadd4.u32.u32.u32.sat $0, $1, $2, $3;", "=r,r,r,r"(i32 %x, i32 83886335, i32 0)
  %v = call i32 @llvm.nvvm.idp4a.u.u(i32 %a, i32 16843009, i32 100)
)",
                "i32", "declare i32 @llvm.nvvm.idp4a.u.u(i32, i32, i32)"),
      {0x01020304, 0, 0x7f000001, 5}, 4);
  // 83886335 is 0x050000ff: the lowest byte stays at 255.
  EXPECT_EQ(Out[0], 100 + 6 + 2 + 3 + 255);
  EXPECT_EQ(Out[1], 100 + 5 + 255);
  EXPECT_EQ(Out[2], 100 + 0x84 + 255);
}

TEST(Executor, MathematicsIsThatOfTheHost) {
  const std::vector<float> In = {0.25f, 1.5f, 2.0f, 100.0f};
  const std::vector<float> Out = mapped<float>(mapKernel(R"(
  %a = call float @llvm.nvvm.sqrt.rn.f(float %x)
  %b = call float @llvm.nvvm.fma.rn.f(float %a, float 3.0, float 0.5)
  %v = call float @llvm.nvvm.add.rz.f(float %b, float 1.0)
)",
                                                         "float", R"(
declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @llvm.nvvm.fma.rn.f(float, float, float)
declare float @llvm.nvvm.add.rz.f(float, float)
)"),
                                               In, 4);
  for (size_t I = 0; I != In.size(); ++I) {
    const double Exact = double(std::fmaf(std::sqrt(In[I]), 3.0f, 0.5f)) + 1.0;
    const float Nearest = float(Exact);
    EXPECT_EQ(Out[I],
              double(Nearest) > Exact ? std::nextafterf(Nearest, 0) : Nearest);
  }
}

TEST(Executor, ThreadsThatDoNotMeetHaveNoStacks) {
  // Threads that do not meet share one function, without stacks.
  KernelRun K(mapKernel("%v = fadd float %x, 1.0", "float"));
  EXPECT_FALSE(cantFail(K.Run->hasStacks(K.Module, "k")));
}

TEST(Executor, NamesTheThreadThatAccessesWhatIsNotThere) {
  for (StringRef Meets : {"", "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n"}) {
    KernelRun K(("declare void @llvm.nvvm.bar.warp.sync(i32)\n"
                 "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                 "declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
                 "define ptx_kernel void @k(ptr %p) {\n"
                 "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
                 "%b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n" +
                 Meets + R"(
  %n = mul i32 %b, 40
  %i = add i32 %n, %t
  %c = icmp eq i32 %i, 50
  %q = select i1 %c, ptr inttoptr (i64 8192 to ptr), ptr %p
  store volatile i32 %i, ptr %q
  ret void
}
)")
                    .str());
    int Place = 0;
    const std::string Why = K.launch("k", {3, 1, 1}, {32, 1, 1}, &Place);
    EXPECT_THAT(Why, HasSubstr("accesses address 0x2000, where no memory is, "
                               "in block (1, 0, 0)"));
    if (!Meets.empty())
      EXPECT_THAT(Why, HasSubstr("thread (10, 0, 0)"));
    // The next launch runs.
    EXPECT_EQ(K.launch("k", {1, 1, 1}, {32, 1, 1}, &Place), "");
  }
}

TEST(Executor, DivisionsByZeroHaveAResult) {
  const std::vector<int> Out = mapped<int>(mapKernel(R"(
  %q = sdiv i32 100, %x
  %r = srem i32 7, %x
  %m = sdiv i32 -2147483648, %x
  %h = lshr i32 %m, 31
  %s = mul i32 %r, 1000
  %a = add i32 %q, %s
  %v = add i32 %a, %h
)"),
                                           {0, 7, -1, 3}, 4);
  // A remainder by zero is all ones on a GPU.
  EXPECT_EQ(Out[0], -1 - 1000 + 1);
  EXPECT_EQ(Out[1], 14 + 0 + 1);
  EXPECT_EQ(Out[2], -100 + 0 + 1);
  EXPECT_EQ(Out[3], 33 + 1000 + 1);
}
