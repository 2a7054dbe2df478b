//===- PackThreadsTest.cpp - Small blocks, and blocks as threads ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/PackThreads.h"
#include "KernelCode.h"
#include "gpuocc/WhatIf/IndependentThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

constexpr uint32_t Thread = 0, Extent = 1, Block = 2;

/// Blocks of 256 threads, each of which loads a word and hands it on by
/// shuffles and shared memory; \p Writers of a block write.
KernelVariant sumOfBlock(double Writers = 1) {
  Code C;
  C.special(SpecialReg::TidX);
  C.special(SpecialReg::NTidX);
  C.special(SpecialReg::CtaIdX);
  const Operand Out = C.parameter(0), In = C.parameter(8);
  const uint32_t Load = C.access(AccessKind::Load, In);
  C.add(Semantics::Shuffle, InstClass::Shfl, {Operand::value(Load)});
  C.access(AccessKind::Store, Operand::immediate(0), MemorySpace::Shared);
  C.add(Semantics::Opaque, InstClass::Barrier, {});
  C.access(AccessKind::Load, Operand::immediate(0), MemorySpace::Shared);
  C.access(AccessKind::Store, Out);
  C.exit();
  KernelVariant V;
  V.Facts = std::move(C.F);
  V.Facts.StaticSharedBytes = 128;
  V.Profile.Blocks = {{1, 1}};
  V.Profile.Accesses.resize(4);
  V.Profile.Accesses[3].RequestsPerWarp = 1.0 / 8;
  V.Profile.Accesses[3].ActiveLanes = Writers;
  V.Launched.Block = {{256, 1, 1}, "test"};
  V.Launched.Grid = Sourced<Dim3>{{1000, 1, 1}, "test"};
  return V;
}

std::string whyNot(KernelVariant V) {
  Expected<KernelVariant> Then = threadForBlock(256).Apply(std::move(V));
  return Then ? "" : toString(Then.takeError());
}

TEST(ThreadForBlock, WorksAloneAndTellsBlocksByItsIndex) {
  const KernelVariant V = cantFail(threadForBlock(256).Apply(sumOfBlock()));
  EXPECT_TRUE(none_of(V.Facts.Operations, worksTogether));
  EXPECT_EQ(V.Facts.StaticSharedBytes, 0u);
  ASSERT_EQ(V.Facts.Accesses.size(), 2u);
  EXPECT_EQ(V.Facts.Accesses[0].Space, MemorySpace::Global);
  EXPECT_EQ(V.Launched.Block.Value, (Dim3{256, 1, 1}));
  EXPECT_EQ(V.Launched.Grid->Value, (Dim3{4, 1, 1}));
  // Thread 0 of one, in block 256 * block + thread.
  const auto At = [&](SpecialReg R) {
    return count_if(V.Facts.Operations,
                    [&](const Operation &Op) { return Op.SReg == R; });
  };
  EXPECT_EQ(At(SpecialReg::NTidX), 0);
  EXPECT_EQ(At(SpecialReg::TidX), 1);
  EXPECT_TRUE(any_of(V.Facts.Operations, [](const Operation &Op) {
    return Op.What == Semantics::Mad &&
           Op.Operands[1] == Operand::immediate(256);
  }));
}

TEST(ThreadForBlock, IsNoWayWhereABlockWritesMoreOrDoesNotReadItsExtent) {
  EXPECT_EQ(whyNot(sumOfBlock(32)), "a block writes more than one value");
  KernelVariant Fixed = sumOfBlock();
  Fixed.Facts.Operations[Extent].SReg = SpecialReg::None;
  EXPECT_EQ(whyNot(Fixed), "blocks do not read their extent and index");
  KernelVariant Rows = sumOfBlock();
  Rows.Launched.Block.Value = {32, 8, 1};
  EXPECT_EQ(whyNot(Rows), "blocks are no rows of whole warps");
  KernelVariant Lanes = sumOfBlock();
  Lanes.Facts.Operations[Thread].SReg = SpecialReg::LaneId;
  EXPECT_EQ(whyNot(Lanes), "blocks do not read their extent and index");
  KernelVariant One = sumOfBlock();
  One.Facts.Operations[Block].SReg = SpecialReg::None;
  EXPECT_EQ(whyNot(One), "blocks do not read their extent and index");
}

} // namespace
