//===- ClusterTest.cpp - Blocks that share their shared memory ------------===//
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

/// Each block stores 100 times its number and the thread's, and reads that of
/// the next block of its cluster.
constexpr char Ring[] = R"(
@s = internal addrspace(3) global [32 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
declare i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
declare i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)
declare void @llvm.nvvm.barrier.cluster.arrive.aligned()
declare void @llvm.nvvm.barrier.cluster.wait.aligned()
define ptx_kernel void @k(ptr %out)ATTRIBUTES {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.cluster.nctarank()
  %hundreds = mul i32 %b, 100
  %mine = add i32 %hundreds, %t
  %own = getelementptr [32 x i32], ptr addrspace(3) @s, i32 0, i32 %t
  store i32 %mine, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %up = add i32 %rank, 1
  %next = urem i32 %up, %size
  %far = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %own, i32 %next)
  %v = load i32, ptr addrspace(7) %far
  %cluster = call i32 @llvm.nvvm.read.ptx.sreg.clusterid.x()
  %far.cluster = mul i32 %cluster, 10000
  %sum = add i32 %v, %far.cluster
  %row = mul i32 %b, 32
  %i = add i32 %row, %t
  %o = getelementptr i32, ptr %out, i32 %i
  store i32 %sum, ptr %o
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  ret void
}
)";

std::string ring(StringRef Attributes) {
  std::string Text = Ring;
  Text.replace(Text.find("ATTRIBUTES"), 10, Attributes);
  return Text;
}

void expectRing(const int (&Out)[12 * 32], int Size) {
  for (int Block = 0; Block != 12; ++Block)
    for (int T = 0; T != 32; ++T) {
      const int Cluster = Block / Size;
      const int Next = Cluster * Size + (Block + 1) % Size;
      EXPECT_EQ(Out[Block * 32 + T], Next * 100 + T + Cluster * 10000)
          << Block << ' ' << T;
    }
}

TEST(Cluster, BlocksReadEachOthersSharedMemory) {
  KernelRun K(ring(" \"nvvm.cluster_dim\"=\"4,1,1\""));
  int Out[12 * 32] = {};
  ASSERT_EQ(K.launch("k", {12, 1, 1}, {32, 1, 1}, &Out[0]), "");
  expectRing(Out, 4);
}

/// As clang makes it of __attribute__((annotate("gpuocc.cluster_dims", 2, 3)))
/// on KERNEL.
std::string annotated(StringRef Kernel) {
  std::string Text = R"(
@what = private constant [20 x i8] c"gpuocc.cluster_dims\00"
@where = private constant [5 x i8] c"a.cu\00"
@extents = private constant { i32, i32 } { i32 2, i32 3 }
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }]
  [{ ptr, ptr, ptr, i32, ptr }
   { ptr @KERNEL, ptr @what, ptr @where, i32 1, ptr @extents }]
define void @other() {
  ret void
}
)";
  Text.replace(Text.find("KERNEL"), 6, Kernel);
  return ring("") + Text;
}

TEST(Cluster, AnnotationsSayHowManyBlocks) {
  KernelRun K(annotated("k"));
  int Out[12 * 32] = {};
  ASSERT_EQ(K.launch("k", {4, 3, 1}, {32, 1, 1}, &Out[0]), "");
  // Blocks have their number in x only: those of rows overwrite each other.
  for (int Block = 0; Block != 4; ++Block)
    EXPECT_EQ(Out[Block * 32] / 10000, Block / 2);
  KernelRun Other(annotated("other"));
  ASSERT_EQ(Other.launch("k", {12, 1, 1}, {32, 1, 1}, &Out[0]), "");
  expectRing(Out, 1);
}

TEST(Cluster, LaunchesSayHowManyBlocks) {
  KernelRun K(ring(""));
  int Out[12 * 32] = {};
  int *Where = Out;
  void *Arguments[] = {&Where};
  ExecuteLaunch L;
  L.Grid = {12, 1, 1};
  L.Block = {32, 1, 1};
  L.Cluster = {2, 1, 1};
  L.Arguments = Arguments;
  ASSERT_EQ(toString(K.Run->launch(K.Module, "k", L)), "");
  expectRing(Out, 2);
  L.Cluster = {5, 1, 1};
  EXPECT_THAT(toString(K.Run->launch(K.Module, "k", L)),
              testing::HasSubstr("a grid whole clusters"));
  // A block is a cluster of its own.
  L.Cluster = {0, 0, 0};
  ASSERT_EQ(toString(K.Run->launch(K.Module, "k", L)), "");
  expectRing(Out, 1);
}

} // namespace
