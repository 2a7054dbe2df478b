//===- MemoryBarrierTest.cpp - Barriers that lie in shared memory ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRun.h"
#include "gmock/gmock.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Threads store, arrive at %b and read what another has stored; \p Wait ends
/// with %ready.
std::string exchange(StringRef Declarations, StringRef Arrive, StringRef Wait) {
  return (
             Declarations + R"(
@b = internal addrspace(3) global i64 undef, align 8
@s = internal addrspace(3) global [64 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %init, label %begin
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @b, i32 64)
  br label %begin
begin:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %own = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  store i32 %t, ptr addrspace(3) %own
)" + Arrive + R"(
  br label %wait
wait:
)" + Wait + R"(
  br i1 %ready, label %end, label %wait
end:
  %other = xor i32 %t, 63
  %p = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %other
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}
)")
      .str();
}

void expectExchanged(const std::string &Code) {
  KernelRun K(Code);
  int Out[64] = {};
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {64, 1, 1}, &Out[0]), "");
  for (int I = 0; I != 64; ++I)
    EXPECT_EQ(Out[I], 63 - I);
}

TEST(MemoryBarrier, ThreadsWaitForThePhaseOfTheirState) {
  expectExchanged(exchange(
      "declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))\n"
      "declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)",
      "%state = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) "
      "@b)",
      "%ready = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) "
      "@b, i64 %state)"));
}

TEST(MemoryBarrier, AssemblyWaitsForAParity) {
  expectExchanged(exchange(
      "",
      "%a = ptrtoint ptr addrspace(3) @b to i32\n"
      "call void asm sideeffect \"{ .reg .b64 t; "
      "mbarrier.arrive.shared::cta.b64 t, [$0]; }\", \"r,~{memory}\"(i32 %a)",
      "%r = call i32 asm sideeffect \"{ .reg .pred p; "
      "mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.b32 $0, 1, "
      "0, p; }\", \"=r,r,r,~{memory}\"(i32 %a, i32 0)\n"
      "%ready = icmp ne i32 %r, 0"));
}

TEST(MemoryBarrier, BulkCopiesCompleteTheBytesThatAreExpected) {
  // The first thread copies 256 bytes, of which the barrier expects as many:
  // they overwrite what the threads have stored.
  KernelRun K(R"(
@b = internal addrspace(3) global i64 undef, align 8
@s = internal addrspace(3) global [64 x i32] undef, align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = ptrtoint ptr addrspace(3) @b to i32
  %d = ptrtoint ptr addrspace(3) @s to i32
  %first = icmp eq i32 %t, 0
  br i1 %first, label %copy, label %begin
copy:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @b, i32 1)
  call void asm sideeffect "{ .reg .b64 t; mbarrier.arrive.expect_tx.shared::cta.b64 t, [$0], 256; }", "r"(i32 %a)
  call void asm sideeffect "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];", "r,l,r,r"(i32 %d, ptr %in, i32 256, i32 %a)
  br label %begin
begin:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %wait
wait:
  %r = call i32 asm sideeffect "{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [$1], $2; selp.b32 $0, 1, 0, p; }", "=r,r,r,~{memory}"(i32 %a, i32 0)
  %ready = icmp ne i32 %r, 0
  br i1 %ready, label %end, label %wait
end:
  %p = getelementptr [64 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  %v = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %v, ptr %o
  ret void
}
)");
  int In[64], Out[64] = {};
  for (int I = 0; I != 64; ++I)
    In[I] = 3 * I;
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {64, 1, 1}, &In[0], &Out[0]), "");
  for (int I = 0; I != 64; ++I)
    EXPECT_EQ(Out[I], 3 * I);
}

TEST(MemoryBarrier, CopiesFillWhatTheyDoNotReadWithZeros) {
  KernelRun K(R"(
@s = internal addrspace(3) global [4 x i32] undef, align 16
define ptx_kernel void @k(ptr %in, ptr %out) {
  %d = ptrtoint ptr addrspace(3) @s to i32
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], 16, 8;", "r,l"(i32 %d, ptr %in)
  call void asm sideeffect "cp.async.commit_group;", ""()
  call void asm sideeffect "cp.async.wait_group 0;", ""()
  %v = load <4 x i32>, ptr addrspace(3) @s
  store <4 x i32> %v, ptr %out
  ret void
}
)");
  int In[4] = {1, 2, 3, 4};
  alignas(16) int Out[4] = {9, 9, 9, 9};
  ASSERT_EQ(K.launch("k", {1, 1, 1}, {1, 1, 1}, &In[0], &Out[0]), "");
  EXPECT_THAT(Out, testing::ElementsAre(1, 2, 0, 0));
}

TEST(MemoryBarrier, BytesThatAreExpectedHoldThePhaseOpen) {
  // One thread expects 16 bytes, all arrive, and thread 5 completes them.
  expectExchanged(exchange(
      "",
      R"(%a = ptrtoint ptr addrspace(3) @b to i32
br i1 %first, label %expect, label %arrive
expect:
call void asm sideeffect "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [$0], 16;", "r"(i32 %a)
br label %arrive
arrive:
call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
call void asm sideeffect "{ .reg .b64 t; mbarrier.arrive.shared::cta.b64 t, [$0]; }", "r"(i32 %a)
%fifth = icmp eq i32 %t, 5
br i1 %fifth, label %complete, label %go
complete:
call void asm sideeffect "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [$0], 16;", "r"(i32 %a)
br label %go
go:)",
      "%r = call i32 asm sideeffect \"{ .reg .pred p; "
      "mbarrier.test_wait.parity.shared::cta.b64 p, [$1], $2; selp.b32 $0, 1, "
      "0, p; }\", \"=r,r,r,~{memory}\"(i32 %a, i32 0)\n"
      "%ready = icmp ne i32 %r, 0"));
}

} // namespace
