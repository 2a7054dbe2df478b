//===- FragmentReaderTest.cpp - Memory accesses of matrix fragments -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentReader.h"
#include "llvm/ADT/ArrayRef.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

TEST(FragmentReader, OperandsAreFourTiles) {
  auto F = decodeFragment("wmma.load.a.sync.aligned.row.m16n16k16.global.f16");
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Space, MemorySpace::Global);
  EXPECT_EQ(F->Pieces.size(), 4u);
  EXPECT_EQ(F->BytesPerLane, 4u);
  EXPECT_EQ(F->Pieces[1].Bytes, 16);
  EXPECT_EQ(F->Pieces[2].Lines, 8);
  EXPECT_EQ(F->NumTransposed, 0u);
  EXPECT_EQ(decodeFragment("wmma.load.b.sync.aligned.row.m16n16k16.f16")
                ->NumTransposed,
            4u);
  EXPECT_EQ(decodeFragment("wmma.load.b.sync.aligned.col.m16n16k16.f16")
                ->NumTransposed,
            0u);
}

TEST(FragmentReader, SinglePrecisionAccumulatorsDependOnTheLayout) {
  auto Row = decodeFragment("wmma.load.c.sync.aligned.row.m16n16k16.f32");
  ASSERT_TRUE(Row);
  EXPECT_EQ(Row->Pieces.size(), 4u);
  EXPECT_EQ(Row->BytesPerLane, 8u);
  auto Column =
      decodeFragment("wmma.store.d.sync.aligned.col.m16n16k16.shared.f32");
  ASSERT_TRUE(Column);
  EXPECT_EQ(Column->Kind, AccessKind::Store);
  EXPECT_EQ(Column->Space, MemorySpace::Shared);
  EXPECT_EQ(Column->Pieces.size(), 8u);
  EXPECT_EQ(Column->BytesPerLane, 4u);
  EXPECT_TRUE(Column->AcrossLines);
}

TEST(FragmentReader, OtherShapesAreNotGuessed) {
  EXPECT_FALSE(decodeFragment("wmma.load.a.sync.aligned.row.m32n8k16.f16"));
  EXPECT_FALSE(decodeFragment("wmma.load.a.sync.aligned.row.m16n16k16.s8"));
  EXPECT_FALSE(decodeFragment("wmma.mma.sync"));
}

TEST(FragmentReader, AccessesFollowTheirAddresses) {
  auto F = decodeFragment("wmma.load.a.sync.aligned.row.m16n16k16.f16");
  KernelFacts Facts;
  Facts.Operations.resize(2 + numFragmentOperations(*F));
  Operation Like;
  Like.Block = 0;
  auto Values =
      fillFragment(*F, Facts, 2, Operand::value(0), 32, Operand::value(1),
                   llvm::ArrayRef<Operand>(), Like);
  EXPECT_EQ(Values.size(), 4u);
  ASSERT_EQ(Facts.Accesses.size(), 4u);
  EXPECT_EQ(Facts.Accesses[1].OffsetBytes, 48);
  // Lines 8 and further have an address of their own.
  EXPECT_EQ(Facts.Accesses[0].Base, Facts.Accesses[1].Base);
  EXPECT_NE(Facts.Accesses[0].Base, Facts.Accesses[2].Base);
  for (const MemoryAccess &A : Facts.Accesses)
    EXPECT_LT(A.Base.Index, A.Op);
}

} // namespace
