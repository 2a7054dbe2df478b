//===- FragmentReaderTest.cpp - Memory accesses of matrix fragments -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FragmentReader.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"
#include "gtest/gtest.h"
#include <string>

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

/// Accesses of a fragment as "count x bytes", with their registers.
std::string shapeOf(llvm::StringRef Mnemonic) {
  auto F = decodeFragment(Mnemonic);
  if (!F)
    return "unknown";
  return (llvm::Twine(F->Pieces.size()) + " x " + llvm::Twine(F->BytesPerLane) +
          " B, " + llvm::Twine(F->NumRegisters) + " registers")
      .str();
}

// What nvdisasm shows of ptxas 13.0 for sm_90.
TEST(FragmentReader, OtherTypesAndShapes) {
  auto Load = [](llvm::StringRef Rest) {
    return shapeOf(("wmma.load." + Rest).str());
  };
  EXPECT_EQ(Load("a.sync.aligned.row.m16n16k16.bf16"), "4 x 4 B, 4 registers");
  EXPECT_EQ(Load("a.sync.aligned.row.m32n8k16.f16"), "8 x 4 B, 8 registers");
  EXPECT_EQ(Load("b.sync.aligned.col.m32n8k16.f16"), "2 x 4 B, 8 registers");
  EXPECT_EQ(Load("a.sync.aligned.row.m16n16k16.s8"), "2 x 4 B, 2 registers");
  EXPECT_EQ(Load("a.sync.aligned.col.m16n16k16.s8"), "8 x 1 B, 2 registers");
  EXPECT_EQ(Load("b.sync.aligned.row.m8n32k16.u8"), "16 x 1 B, 4 registers");
  EXPECT_EQ(Load("a.sync.aligned.row.m16n16k8.tf32"), "4 x 4 B, 4 registers");
  EXPECT_EQ(Load("b.sync.aligned.row.m16n16k8.tf32"), "4 x 4 B, 4 registers");
  EXPECT_EQ(Load("a.sync.aligned.row.m8n8k4.f64"), "1 x 8 B, 1 registers");
  EXPECT_EQ(Load("c.sync.aligned.row.m8n8k4.f64"), "1 x 16 B, 2 registers");
  EXPECT_EQ(Load("c.sync.aligned.col.m8n8k4.f64"), "2 x 8 B, 2 registers");
  EXPECT_EQ(Load("c.sync.aligned.row.m32n8k16.s32"), "4 x 8 B, 8 registers");
  // Kept turned by a quarter.
  EXPECT_EQ(Load("c.sync.aligned.row.m8n32k16.s32"), "8 x 4 B, 8 registers");
  EXPECT_EQ(Load("c.sync.aligned.col.m8n32k16.s32"), "4 x 8 B, 8 registers");
}

// LDSM.16.M88.4 and its relatives; .MT88 needs no MOVM.
TEST(FragmentReader, OperandsInSharedMemoryAreReadByRowsOfMatrices) {
  auto Load = [](llvm::StringRef Rest) {
    auto F = decodeFragment(("wmma.load." + Rest).str());
    EXPECT_EQ(F->NumTransposed, 0u);
    return (llvm::Twine(F->Pieces.size()) + " of " +
            llvm::Twine(F->MatrixRows) + " x " + llvm::Twine(F->MatrixBytes))
        .str();
  };
  EXPECT_EQ(Load("a.sync.aligned.row.m16n16k16.shared.f16"), "1 of 16 x 32");
  EXPECT_EQ(Load("a.sync.aligned.col.m16n16k16.shared.f16"), "1 of 16 x 32");
  EXPECT_EQ(Load("a.sync.aligned.row.m32n8k16.shared.bf16"), "2 of 16 x 32");
  EXPECT_EQ(Load("a.sync.aligned.col.m32n8k16.shared.f16"), "2 of 16 x 32");
  EXPECT_EQ(Load("b.sync.aligned.row.m32n8k16.shared.f16"), "1 of 16 x 16");
  EXPECT_EQ(Load("b.sync.aligned.col.m32n8k16.shared.f16"), "1 of 8 x 32");
  EXPECT_EQ(Load("a.sync.aligned.row.m16n16k16.shared.s8"), "1 of 16 x 16");
  EXPECT_EQ(Load("a.sync.aligned.row.m32n8k16.shared.u8"), "2 of 16 x 16");
  EXPECT_EQ(Load("b.sync.aligned.col.m32n8k16.shared.s8"), "1 of 8 x 16");
  // By bytes, by words, and accumulators: ordinary accesses.
  for (llvm::StringRef Rest : {"a.sync.aligned.col.m16n16k16.shared.s8",
                               "a.sync.aligned.row.m16n16k8.shared.tf32",
                               "c.sync.aligned.row.m16n16k16.shared.f16"})
    EXPECT_EQ(decodeFragment(("wmma.load." + Rest).str())->MatrixRows, 0u);
}

TEST(FragmentReader, TilesCoverTheShape) {
  auto A = decodeFragment("wmma.load.a.sync.aligned.row.m32n8k16.bf16");
  ASSERT_TRUE(A);
  EXPECT_EQ(A->Pieces.back().Lines, 24);
  EXPECT_EQ(A->Pieces.back().Bytes, 16);
}

TEST(FragmentReader, ColumnsOfSingleNumbersLieAcrossLines) {
  auto F = decodeFragment("wmma.load.a.sync.aligned.col.m16n16k8.tf32");
  ASSERT_TRUE(F);
  EXPECT_TRUE(F->AcrossLines);
  EXPECT_EQ(F->ElementsPerLane, 1u);
  ASSERT_EQ(F->Pieces.size(), 4u);
  // Four lines further, and eight elements.
  EXPECT_EQ(F->Pieces[1].Lines, 4);
  EXPECT_EQ(F->Pieces[1].Bytes, 0);
  EXPECT_EQ(F->Pieces[2].Lines, 0);
  EXPECT_EQ(F->Pieces[2].Bytes, 32);
}

TEST(FragmentReader, OtherTypesAreNotGuessed) {
  EXPECT_FALSE(decodeFragment("wmma.load.a.sync.aligned.row.m8n8k32.s4"));
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
