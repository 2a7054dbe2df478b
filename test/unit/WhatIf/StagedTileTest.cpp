//===- StagedTileTest.cpp - Tiles of global in shared memory --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/StagedTile.h"
#include "KernelCode.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// tile[x] = in[x]; a barrier; tile[x] + tile[x + 1].
KernelVariant neighbours() {
  Code C;
  Symbol Array;
  Array.Name = "tile";
  Array.SizeBytes = 1024;
  C.F.Symbols = {Array};
  C.F.StaticSharedBytes = 1024;
  const Operand In = C.parameter(8), X = C.special(SpecialReg::TidX);
  const Operand From =
      Operand::value(C.add(Semantics::MadWideU, InstClass::IMadWide,
                           {X, Operand::immediate(4), In}, 64));
  const Operand At =
      Operand::value(C.add(Semantics::Mad, InstClass::Lea,
                           {X, Operand::immediate(4), Operand::symbol(0)}));
  const Operand Word = Operand::value(C.access(AccessKind::Load, From));
  const uint32_t Store = C.access(AccessKind::Store, At, MemorySpace::Shared);
  C.F.Operations[Store].Operands.push_back(Word);
  C.F.Accesses.back().Stored = {Word};
  const uint32_t Barrier = C.add(Semantics::Opaque, InstClass::Barrier, {});
  C.F.Operations[Barrier].NumResults = 0;
  const uint32_t Own = C.access(AccessKind::Load, At, MemorySpace::Shared);
  const uint32_t Next = C.access(AccessKind::Load, At, MemorySpace::Shared);
  C.F.Accesses.back().OffsetBytes = 4;
  C.add(Semantics::FAdd, InstClass::FAdd,
        {Operand::value(Own), Operand::value(Next)});
  C.exit();
  KernelVariant V;
  V.Facts = std::move(C.F);
  V.Profile.Blocks = {{1, 1}};
  V.Profile.Accesses.resize(V.Facts.Accesses.size());
  for (AccessProfile &P : V.Profile.Accesses) {
    P.ExecutionsPerWarp = P.RequestsPerWarp = 1;
    P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest = 1;
    P.LaneStrideBytes = 4;
  }
  V.Profile.Accesses[0].SectorsPerRequest = 4;
  V.Profile.Accesses[0].IdealSectorsPerRequest = 4;
  V.Profile.Accesses[0].LinesPerRequest = 1;
  V.Launched.Block = {{256, 1, 1}, "test"};
  return V;
}

TEST(StagedTile, FindsCopiesAndReads) {
  const KernelVariant V = neighbours();
  const StagedTile Tile = stagedTile(V.Facts);
  EXPECT_EQ(Tile.Copies.size(), 1u);
  EXPECT_EQ(Tile.Reads.size(), 2u);
  EXPECT_TRUE(isReadAsLoaded(V, Tile));
}

TEST(StagedTile, ComputedWordsAreNoTile) {
  KernelVariant V = neighbours();
  V.Facts.Accesses[1].Stored = {Operand::value(1)};
  EXPECT_TRUE(stagedTile(V.Facts).Reads.empty());
}

TEST(StagedTile, ColumnsAreWhatTheTileIsFor) {
  KernelVariant V = neighbours();
  V.Profile.Accesses[3].LaneStrideBytes = 132;
  EXPECT_FALSE(isReadAsLoaded(V, stagedTile(V.Facts)));
}

// The own word is in a register, the other one in L1 but for what nobody has
// asked for; the store, the barrier and the tile are gone.
TEST(StagedTile, ReadsGoThroughL1) {
  KernelVariant V = neighbours();
  V = cantFail(dropTile(stagedTile(V.Facts), MemoryGeometry()).Apply(V));
  cantFail(verifyFacts(V.Facts));
  ASSERT_EQ(V.Facts.Accesses.size(), 2u);
  for (const MemoryAccess &A : V.Facts.Accesses)
    EXPECT_EQ(A.Space, MemorySpace::Global);
  EXPECT_EQ(V.Profile.Accesses[0].L1HitFraction, 0);
  EXPECT_EQ(V.Profile.Accesses[1].L1HitFraction, 1);
  EXPECT_EQ(V.Profile.Accesses[1].SectorsPerRequest, 5);
  EXPECT_EQ(V.Facts.StaticSharedBytes, 0u);
  for (const Operation &Op : V.Facts.Operations)
    for (const Emission &E : Op.Emits)
      EXPECT_NE(E.Class, InstClass::Barrier);
}

/// A load that 16 threads of a block make, in blocks of 16x16.
TEST(StagedTile, SharedLoadsAreCopiedOnce) {
  KernelVariant V = neighbours();
  V.Launched.Block = {{16, 16, 1}, "test"};
  V.Profile.Accesses[0].SectorsPerRequest = 2;
  V.Profile.Accesses[0].L1HitFraction = 0.75;
  V.Facts.StaticSharedBytes = 0;
  const uint32_t Load = V.Facts.Accesses[0].Op;
  // 16 words of a row for each of 16 rows.
  const uint64_t Before = V.Facts.StaticSharedBytes;
  V = cantFail(reuseTile({{Load, 16}}, MemoryGeometry()).Apply(V));
  EXPECT_EQ(V.Facts.StaticSharedBytes - Before, 16u * 16 * 4);
  cantFail(verifyFacts(V.Facts));
  ASSERT_EQ(V.Facts.Accesses.size(), 6u);
  EXPECT_EQ(V.Facts.Accesses[0].Space, MemorySpace::Shared);
  EXPECT_EQ(V.Facts.Accesses[4].Space, MemorySpace::Global);
  EXPECT_EQ(V.Profile.Accesses[4].RequestsPerWarp, 1.0 / 16);
  // 0.5 sectors of a request missed; all of 4 / 16 do now, as each is asked for
  // once.
  EXPECT_EQ(V.Profile.Accesses[4].L1HitFraction, 0);
  EXPECT_EQ(V.Facts.Accesses[5].Space, MemorySpace::Shared);
}

} // namespace
