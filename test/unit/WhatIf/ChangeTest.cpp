//===- ChangeTest.cpp - Changes of a kernel as values ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelCode.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/AccessChanges.h"
#include "gpuocc/WhatIf/AtomicChanges.h"
#include "gpuocc/WhatIf/CodeChanges.h"
#include "gpuocc/WhatIf/ControlChanges.h"
#include "gpuocc/WhatIf/MergeWork.h"
#include "gpuocc/WhatIf/TakeTurns.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {

/// out = in, with one access each.
KernelVariant copyKernel() {
  Code C;
  const Operand Out = C.parameter(0), In = C.parameter(8);
  C.access(AccessKind::Load, In);
  C.access(AccessKind::Store, Out);
  KernelVariant V{C.F, {}, {}};
  V.Profile.Blocks.resize(1);
  V.Profile.Blocks[0].ExecutionsPerWarp = 1;
  V.Profile.Blocks[0].ActiveLaneFraction = 1;
  V.Profile.Accesses.resize(2);
  for (AccessProfile &A : V.Profile.Accesses) {
    A.ExecutionsPerWarp = A.RequestsPerWarp = 1;
    A.ActiveLanes = 32;
    A.SectorsPerRequest = 32;
    A.IdealSectorsPerRequest = 4;
    A.WavefrontsPerRequest = 8;
    A.IdealWavefrontsPerRequest = 1;
  }
  V.Launched.Block = {{48, 1, 1}, "test"};
  return V;
}

TEST(Change, KeysAreDifferent) {
  std::set<StringRef> Keys;
  unsigned Rows = 0;
#define CHANGE(Enum, Key, Title)                                               \
  ++Rows;                                                                      \
  Keys.insert(changeKey(ChangeKind::Enum));                                    \
  EXPECT_EQ(changeTitle(ChangeKind::Enum), Title);
#include "gpuocc/WhatIf/Changes.def"
  EXPECT_EQ(Keys.size(), Rows);
}

TEST(Change, LeavesTheKernelThatItIsAppliedToAsItIs) {
  const KernelVariant V = copyKernel();
  const Change C = removeBankConflicts({0});
  const KernelVariant After = cantFail(C.Apply(V));
  EXPECT_EQ(V.Profile.Accesses[0].WavefrontsPerRequest, 8);
  EXPECT_EQ(After.Profile.Accesses[0].WavefrontsPerRequest, 1);
  EXPECT_EQ(After.Profile.Accesses[1].WavefrontsPerRequest, 8);
}

// DRAM brought each of the 32 sectors; of the 4 that are needed it brings all.
TEST(Change, CoalescedRowsStayInLinesOfTheirOwn) {
  const KernelVariant After = cantFail(
      coalesceAccesses({{0}}, MemoryGeometry(), 2).Apply(copyKernel()));
  EXPECT_EQ(After.Profile.Accesses[0].SectorsPerRequest, 4);
  EXPECT_EQ(After.Profile.Accesses[0].LinesPerRequest, 2);
}

TEST(Change, CoalescedAccessesTouchTheSectorsOfTheirWords) {
  const KernelVariant After =
      cantFail(coalesceAccesses({{0}}, MemoryGeometry()).Apply(copyKernel()));
  EXPECT_EQ(After.Profile.Accesses[0].SectorsPerRequest, 4);
  EXPECT_EQ(After.Profile.Accesses[0].LinesPerRequest, 1);
  EXPECT_EQ(After.Profile.Accesses[0].L2HitFraction, 0);
  EXPECT_EQ(After.Profile.Accesses[1].SectorsPerRequest, 32);
}

// 32 sectors of which L1 has 31 come to 1 of each request: of 4 that are
// needed, 3 are needed again.
TEST(Change, CoalescedAccessesFindWordsAgain) {
  KernelVariant V = copyKernel();
  V.Profile.Accesses[0].L1HitFraction = 31.0 / 32;
  V = cantFail(coalesceAccesses({{0}}, MemoryGeometry()).Apply(std::move(V)));
  EXPECT_NEAR(V.Profile.Accesses[0].L1HitFraction, 0.75, 1e-9);
  EXPECT_NEAR(V.Profile.Accesses[0].L2HitFraction, 0, 1e-9);
}

// Lanes that go apart bring sectors of their own.
TEST(Change, LanesThatGoApartFindNoMore) {
  KernelVariant V = copyKernel();
  AccessProfile &A = V.Profile.Accesses[0];
  A.SectorsPerRequest = 4;
  A.IdealSectorsPerRequest = 32;
  V = cantFail(coalesceAccesses({{0}}, MemoryGeometry()).Apply(std::move(V)));
  EXPECT_EQ(V.Profile.Accesses[0].L1HitFraction, 0);
}

TEST(Change, ConstantsReadFromGlobalMemoryAreGlobalLoads) {
  KernelVariant V = copyKernel();
  MemoryAccess &A = V.Facts.Accesses[0];
  A.Space = MemorySpace::Constant;
  V.Facts.Operations[A.Op].Emits = {{InstClass::Ldc}};
  V = cantFail(readFromGlobal({0}).Apply(std::move(V)));
  EXPECT_EQ(V.Facts.Accesses[0].Space, MemorySpace::Global);
  EXPECT_EQ(V.Facts.Operations[V.Facts.Accesses[0].Op].Emits[0].Class,
            InstClass::LdGlobal);
}

TEST(Change, CachedLoadsAreNotVolatile) {
  KernelVariant V = copyKernel();
  V.Facts.Accesses[0].Volatile = V.Facts.Accesses[1].Volatile = true;
  V = cantFail(cacheLoads({0}).Apply(std::move(V)));
  EXPECT_FALSE(V.Facts.Accesses[0].Volatile);
  EXPECT_TRUE(V.Facts.Accesses[1].Volatile);
}

TEST(Change, RegistersOfLocalMemoryHaveALimit) {
  KernelVariant V = copyKernel();
  V.Facts.Resources.RegistersPerThread = 250;
  V = cantFail(keepInRegisters({0}, 20, 255).Apply(V));
  EXPECT_EQ(V.Facts.Resources.RegistersPerThread, 255u);
  EXPECT_EQ(V.Profile.Accesses[0].RequestsPerWarp, 0);
  EXPECT_TRUE(V.Facts.Operations[V.Facts.Accesses[0].Op].Emits.empty());
}

// 48 threads fill one warp and a half of two.
TEST(Change, FullWarpsAreFewer) {
  const KernelVariant V = cantFail(fillWarps().Apply(copyKernel()));
  EXPECT_EQ(V.Profile.Blocks[0].ExecutionsPerWarp, 0.75);
  EXPECT_EQ(V.Profile.Accesses[0].RequestsPerWarp, 0.75);
}

TEST(Change, LanesThatMeetBecomeOne) {
  KernelVariant V = copyKernel();
  AccessProfile &A = V.Profile.Accesses[1];
  A.LanesPerAddress = 32;
  A.SerializedPasses = 32;
  V = cantFail(combineAtomics({{1, 32, 1}}).Apply(V));
  EXPECT_EQ(V.Profile.Accesses[1].ActiveLanes, 1);
  EXPECT_EQ(V.Profile.Accesses[1].SerializedPasses, 1);
}

TEST(Change, BlocksCountInSharedMemoryAndUpdateOnce) {
  KernelVariant V = copyKernel();
  V.Profile.Accesses[1].LanesPerAddress = 2;
  V = cantFail(countInBlocks({{{1}, 64}}, MemoryGeometry()).Apply(V));
  EXPECT_EQ(V.Launched.DynamicSharedBytes.Value, 256u);
  EXPECT_EQ(V.Facts.Accesses[1].Space, MemorySpace::Shared);
  ASSERT_EQ(V.Profile.Accesses.size(), 3u);
  // Two requests of 32 words for the two warps of the block.
  EXPECT_EQ(V.Profile.Accesses[2].RequestsPerWarp, 1);
  EXPECT_EQ(V.Profile.Accesses[2].SectorsPerRequest, 4);
}

TEST(Change, BlocksThatDoTheWorkOfSeveralUpdateAsMuchLess) {
  KernelVariant V = copyKernel();
  V = cantFail(countInBlocks({{{1}, 64, 4}}, MemoryGeometry()).Apply(V));
  EXPECT_EQ(V.Profile.Accesses[1].RequestsPerWarp,
            copyKernel().Profile.Accesses[1].RequestsPerWarp);
  EXPECT_EQ(V.Profile.Accesses[2].RequestsPerWarp, 0.25);
}

// A word of all threads: one of the two warps updates, every fourth time.
TEST(Change, ThreadsThatSumUpUpdateOnce) {
  KernelVariant V = copyKernel();
  V.Facts.Accesses[1].Kind = AccessKind::Reduction;
  V.Facts.Accesses[1].AtomicOp = "max";
  const uint32_t Before = V.Facts.Accesses[1].Op;
  V = cantFail(sumInThreads({{1, NoIndex, 4, true}}).Apply(std::move(V)));
  EXPECT_EQ(V.Profile.Accesses[1].RequestsPerWarp, 0.125);
  EXPECT_EQ(V.Profile.Accesses[1].SerializedPasses, 1);
  EXPECT_EQ(V.Facts.Operations[Before].Emits[0].Class, InstClass::IMnMx);
  EXPECT_EQ(V.Facts.Operations[Before].Access, NoIndex);
  EXPECT_EQ(V.Facts.Operations[V.Facts.Accesses[1].Op].Access, 1u);
}

// One update of the two warps, behind shuffles and one barrier.
TEST(Change, ThreadsOfABlockSumUpByShuffles) {
  KernelVariant V = copyKernel();
  V.Facts.Accesses[1].Kind = AccessKind::Reduction;
  V.Facts.Accesses[1].AtomicOp = "add";
  const uint32_t Before = V.Facts.Accesses[1].Op;
  V = cantFail(sumInThreads({{1, NoIndex, 1, true}}).Apply(std::move(V)));
  EXPECT_EQ(V.Profile.Accesses[1].RequestsPerWarp, 0.5);
  auto Count = [&](InstClass Class) {
    float Count = 0;
    for (const Emission &E : V.Facts.Operations[Before].Emits)
      Count += E.Class == Class ? E.Count : 0;
    return Count;
  };
  EXPECT_EQ(Count(InstClass::Shfl), 5);
  EXPECT_EQ(Count(InstClass::Barrier), 1);
}

TEST(Change, BlocksInTurnAreFewerAndDoMore) {
  KernelVariant V = copyKernel();
  V.Launched.Grid = Sourced<Dim3>{{64, 2, 1}, "test"};
  V = cantFail(takeTurns(4).Apply(std::move(V)));
  EXPECT_EQ(V.Launched.Grid->Value.count(), 32u);
  EXPECT_EQ(V.Profile.Blocks[0].ExecutionsPerWarp, 4);
  EXPECT_EQ(V.Profile.Accesses[1].RequestsPerWarp, 4);
  // Turns follow each other: a loop is around all of them.
  ASSERT_FALSE(V.Facts.Loops.empty());
  EXPECT_EQ(V.Facts.Loops.back().Blocks.size(), V.Facts.Blocks.size());
  EXPECT_EQ(V.Facts.Blocks[0].Loop, uint32_t(V.Facts.Loops.size() - 1));
  EXPECT_EQ(V.Profile.Loops.back().TripCount, 4);
  V.Launched.Grid = Known<Sourced<Dim3>>::unknown("test");
  EXPECT_EQ(toString(takeTurns(4).Apply(std::move(V)).takeError()),
            "its grid is not known");
}

TEST(Change, WhatIsNotNamedStays) {
  KernelVariant V = copyKernel();
  V.Facts.Resources.RegistersPerThread = 40;
  V.Facts.StaticSharedBytes = 100;
  LessResources Then;
  Then.RegistersPerThread = 32;
  V = cantFail(useResources(Then).Apply(V));
  EXPECT_EQ(V.Facts.Resources.RegistersPerThread, 32u);
  EXPECT_EQ(V.Facts.StaticSharedBytes, 100u);
}

TEST(Change, AnImpossibleMergeSaysWhy) {
  Expected<KernelVariant> V =
      mergeWork({MergeOf::Threads, 2, 2}).Apply(copyKernel());
  ASSERT_FALSE(bool(V));
  EXPECT_THAT(toString(V.takeError()), testing::HasSubstr("merge"));
}

} // namespace
