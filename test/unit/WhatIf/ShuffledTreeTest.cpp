//===- ShuffledTreeTest.cpp - A tree in shared memory as shuffles ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/ShuffledTree.h"
#include "KernelCode.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// s[tid] += s[tid + d], a barrier, and so on for each of \p Distances in
/// words.
KernelVariant treeOf(std::initializer_list<int64_t> Distances,
                     unsigned Threads = 256) {
  Code C;
  Symbol Array;
  Array.Name = "s";
  Array.SizeBytes = 1024;
  C.F.Symbols = {Array};
  const Operand Tid = C.special(SpecialReg::TidX);
  const Operand At =
      Operand::value(C.add(Semantics::Mad, InstClass::Lea,
                           {Tid, Operand::immediate(4), Operand::symbol(0)}));
  for (int64_t Distance : Distances) {
    const uint32_t Own = C.access(AccessKind::Load, At, MemorySpace::Shared);
    const uint32_t Other = C.access(AccessKind::Load, At, MemorySpace::Shared);
    C.F.Accesses.back().OffsetBytes = 4 * Distance;
    const Operand Sum =
        Operand::value(C.add(Semantics::FAdd, InstClass::FAdd,
                             {Operand::value(Own), Operand::value(Other)}));
    const uint32_t Store = C.access(AccessKind::Store, At, MemorySpace::Shared);
    C.F.Operations[Store].Operands.push_back(Sum);
    C.F.Accesses.back().Stored = {Sum};
    const uint32_t Barrier = C.add(Semantics::Opaque, InstClass::Barrier, {});
    C.F.Operations[Barrier].NumResults = 0;
  }
  C.exit();
  KernelVariant V;
  V.Facts = std::move(C.F);
  V.Profile.Blocks = {{1, 1}};
  V.Profile.Accesses.resize(V.Facts.Accesses.size());
  for (AccessProfile &P : V.Profile.Accesses) {
    P.ExecutionsPerWarp = P.RequestsPerWarp = 1;
    P.WavefrontsPerRequest = 2;
    P.IdealWavefrontsPerRequest = 1;
  }
  V.Launched.Block = {{Threads, 1, 1}, "test"};
  return V;
}

double countOf(const KernelFacts &F, InstClass Class) {
  double Count = 0;
  for (const Operation &Op : F.Operations)
    for (const Emission &E : Op.Emits)
      if (E.Class == Class)
        Count += E.Count;
  return Count;
}

TEST(ShuffledTree, FindsStepsWhoseDistanceHalves) {
  const KernelVariant V = treeOf({128, 64, 32, 16, 8, 4, 2, 1});
  const std::vector<SharedTree> Trees = sharedTrees(V.Facts);
  ASSERT_EQ(Trees.size(), 1u);
  EXPECT_EQ(Trees[0].Steps.size(), 8u);
  EXPECT_EQ(Trees[0].Steps[0].DistanceBytes, 512);
  EXPECT_TRUE(thinsOut(V, Trees[0]));
  EXPECT_TRUE(endsInOneWord(V, Trees[0]));
}

TEST(ShuffledTree, OtherDistancesAreNoTree) {
  EXPECT_TRUE(sharedTrees(treeOf({1, 2, 3}).Facts).empty());
  EXPECT_TRUE(sharedTrees(treeOf({2, 1}).Facts).empty());
  // What a prefix sum reads lies before.
  EXPECT_TRUE(sharedTrees(treeOf({-1, -2, -4, -8}).Facts).empty());
}

TEST(ShuffledTree, ColumnsLeaveARow) {
  const KernelVariant V = treeOf({128, 64, 32});
  EXPECT_FALSE(endsInOneWord(V, sharedTrees(V.Facts).front()));
}

// Eight steps in two rounds: as many shuffles and additions as steps, the
// accesses of two steps, and no barrier but that in front of the tree.
TEST(ShuffledTree, EightStepsAreTwoRounds) {
  KernelVariant V = treeOf({128, 64, 32, 16, 8, 4, 2, 1});
  V = cantFail(shuffleTrees({sharedTrees(V.Facts).front()}).Apply(V));
  cantFail(verifyFacts(V.Facts));
  EXPECT_EQ(countOf(V.Facts, InstClass::Shfl), 8);
  EXPECT_EQ(countOf(V.Facts, InstClass::FAdd), 8);
  EXPECT_EQ(countOf(V.Facts, InstClass::LdShared), 2);
  EXPECT_EQ(countOf(V.Facts, InstClass::StShared), 2);
  EXPECT_EQ(countOf(V.Facts, InstClass::Barrier), 0);
  ASSERT_EQ(V.Facts.Accesses.size(), 4u);
  ASSERT_EQ(V.Profile.Accesses.size(), 4u);
  EXPECT_EQ(V.Profile.Accesses[0].WavefrontsPerRequest, 1);
}

TEST(ShuffledTree, FiveStepsAreOneRound) {
  KernelVariant V = treeOf({16, 8, 4, 2, 1}, 32);
  V = cantFail(shuffleTrees({sharedTrees(V.Facts).front()}).Apply(V));
  EXPECT_EQ(countOf(V.Facts, InstClass::Shfl), 5);
  EXPECT_EQ(V.Facts.Accesses.size(), 2u);
}

} // namespace
