//===- PlacedAccessTest.cpp - Bulk copies and fetches of textures ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlacedAccess.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

std::optional<PlacedAccess> decode(llvm::StringRef Statement) {
  return decodePlacedAccess(parseAsmStatement(Statement));
}

TEST(PlacedAccess, BytesComeFromGlobalMemory) {
  auto A = decode("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
                  "bytes [$0], [$1+64], 8192, [$2]");
  ASSERT_TRUE(A);
  EXPECT_EQ(A->Kind, AccessKind::AsyncCopy);
  EXPECT_EQ(A->Object.Base, "$1");
  EXPECT_EQ(A->Object.OffsetBytes, 64);
  EXPECT_EQ(A->Shared.Base, "$0");
  EXPECT_EQ(A->Bytes, "8192");
  EXPECT_EQ(A->Barrier, "$2");
  EXPECT_TRUE(A->Coordinates.empty());
}

TEST(PlacedAccess, BytesGoToGlobalMemory) {
  auto Stored =
      decode("cp.async.bulk.global.shared::cta.bulk_group [$0], [$1], $2");
  ASSERT_TRUE(Stored);
  EXPECT_EQ(Stored->Kind, AccessKind::Store);
  EXPECT_EQ(Stored->Object.Base, "$0");
  EXPECT_EQ(Stored->Bytes, "$2");
  EXPECT_TRUE(Stored->Barrier.empty());
  auto Added = decode("cp.reduce.async.bulk.global.shared::cta.bulk_group.add."
                      "f32 [$0], [$1], 1024");
  ASSERT_TRUE(Added);
  EXPECT_EQ(Added->Kind, AccessKind::Reduction);
}

TEST(PlacedAccess, TilesHaveCoordinates) {
  auto A = decode("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier"
                  "::complete_tx::bytes.multicast::cluster [$0], [$1, {$2, 0}],"
                  " [$3], $4");
  ASSERT_TRUE(A);
  EXPECT_EQ(A->Object.Base, "$1");
  ASSERT_EQ(A->Coordinates.size(), 2u);
  EXPECT_EQ(A->Coordinates[0], "$2");
  EXPECT_EQ(A->Coordinates[1], "0");
  EXPECT_EQ(A->Barrier, "$3");
  EXPECT_TRUE(A->IsMulticast);
  EXPECT_TRUE(A->Bytes.empty());
  auto Prefetched = decode("cp.async.bulk.prefetch.tensor.1d.L2.global.tile "
                           "[$0, {$1}]");
  ASSERT_TRUE(Prefetched);
  EXPECT_EQ(Prefetched->Kind, AccessKind::AsyncCopy);
  EXPECT_TRUE(Prefetched->Shared.Base.empty());
}

TEST(PlacedAccess, TexturesHaveCoordinates) {
  auto A = decode("tex.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}]");
  ASSERT_TRUE(A);
  EXPECT_EQ(A->Space, MemorySpace::Texture);
  EXPECT_EQ(A->Object.Base, "$4");
  EXPECT_EQ(A->Coordinates.size(), 2u);
  EXPECT_TRUE(A->AreFloats);
  auto Line = decode("tex.1d.v4.f32.s32 {$0, $1, $2, $3}, [$4, {$5}]");
  ASSERT_TRUE(Line);
  EXPECT_FALSE(Line->AreFloats);
}

/// A copy of a tile in a block of its own, as behind a predicate.
uint32_t addTile(KernelFacts &F) {
  Operation Op;
  Op.Block = F.Blocks.size();
  Op.Access = F.Accesses.size();
  MemoryAccess A;
  A.Op = F.Operations.size();
  A.Kind = AccessKind::AsyncCopy;
  A.Bulk = true;
  A.BytesPerLane = 0;
  F.Blocks.emplace_back();
  F.Operations.push_back(Op);
  F.Accesses.push_back(A);
  return F.Accesses.size() - 1;
}

void addExpectation(KernelFacts &F, int64_t Bytes) {
  Operation Op;
  Op.Block = F.Blocks.size();
  Op.What = Semantics::ExpectBytes;
  Op.Imm = Bytes;
  F.Blocks.emplace_back();
  F.Operations.push_back(Op);
}

TEST(PlacedAccess, CopiesBehindAnExpectationShareItsBytes) {
  KernelFacts F;
  addExpectation(F, 16384);
  const uint32_t A = addTile(F), B = addTile(F);
  addExpectation(F, 4096);
  const uint32_t C = addTile(F);
  resolveBulkCopies({}, F);
  EXPECT_EQ(F.Accesses[A].BytesPerLane, 8192u);
  EXPECT_EQ(F.Accesses[B].BytesPerLane, 8192u);
  EXPECT_EQ(F.Accesses[C].BytesPerLane, 4096u);
  EXPECT_FALSE(F.Accesses[A].WidthAssumed);
}

TEST(PlacedAccess, TilesThatNothingExpectsHaveAnAssumedSize) {
  KernelFacts F;
  const uint32_t A = addTile(F);
  resolveBulkCopies({}, F);
  EXPECT_TRUE(F.Accesses[A].WidthAssumed);
  EXPECT_GT(F.Accesses[A].BytesPerLane, 0u);
}

TEST(PlacedAccess, OthersAreNone) {
  // Within a cluster.
  EXPECT_FALSE(decode("cp.async.bulk.shared::cluster.shared::cta.mbarrier::"
                      "complete_tx::bytes [$0], [$1], 1024, [$2]"));
  EXPECT_FALSE(decode("cp.async.bulk.commit_group"));
  EXPECT_FALSE(decode("cp.async.bulk.wait_group.read 0"));
  EXPECT_FALSE(decode("@p cp.async.bulk.prefetch.L2.global [$0], 1024"));
  EXPECT_FALSE(decode("tex.cube.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6, $7,"
                      " $8}]"));
  EXPECT_FALSE(decode("ld.global.f32 $0, [$1]"));
}

} // namespace
