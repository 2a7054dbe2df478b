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

TEST(FragmentReader, TilesCoverTheShape) {
  auto A = decodeFragment("wmma.load.a.sync.aligned.row.m32n8k16.bf16");
  ASSERT_TRUE(A);
  EXPECT_EQ(A->Pieces.size(), 8u);
  EXPECT_EQ(A->Pieces.back().Lines, 24);
  EXPECT_EQ(A->NumRegisters, 8u);
  auto B = decodeFragment("wmma.load.b.sync.aligned.col.m32n8k16.bf16");
  ASSERT_TRUE(B);
  EXPECT_EQ(B->Pieces.size(), 2u);
  EXPECT_EQ(B->NumRegisters, 2u);
  EXPECT_EQ(
      decodeFragment("wmma.load.b.sync.aligned.col.m32n8k16.f16")->NumRegisters,
      8u);
}

TEST(FragmentReader, LanesHoldAsManyElementsAsTheirTypeSays) {
  auto Bytes = decodeFragment("wmma.load.a.sync.aligned.row.m16n16k16.s8");
  ASSERT_TRUE(Bytes);
  EXPECT_EQ(Bytes->Pieces.size(), 2u);
  EXPECT_EQ(Bytes->BytesPerLane, 4u);
  auto Words = decodeFragment("wmma.load.a.sync.aligned.col.m16n16k8.tf32");
  ASSERT_TRUE(Words);
  EXPECT_TRUE(Words->AcrossLines);
  EXPECT_EQ(Words->Pieces.size(), 4u);
  EXPECT_EQ(Words->BytesPerLane, 4u);
  EXPECT_EQ(Words->Pieces.back().Lines, 4);
  auto Doubles = decodeFragment("wmma.load.c.sync.aligned.row.m8n8k4.f64");
  ASSERT_TRUE(Doubles);
  EXPECT_EQ(Doubles->Pieces.size(), 1u);
  EXPECT_EQ(Doubles->BytesPerLane, 16u);
  EXPECT_EQ(Doubles->NumRegisters, 2u);
}

TEST(FragmentReader, UnknownLayoutsAreNotGuessed) {
  EXPECT_FALSE(decodeFragment("wmma.load.a.sync.aligned.col.m16n16k16.s8"));
  EXPECT_FALSE(decodeFragment("wmma.load.a.sync.aligned.row.m8n8k32.s4"));
  EXPECT_FALSE(decodeFragment("wmma.mma.sync"));
}

TEST(FragmentReader, MultiplicationsTakeTheStepsOfTheirType) {
  auto Count = [](llvm::StringRef Name) {
    std::optional<Emission> E = decodeMultiplication(Name);
    return E ? std::pair(E->Class, E->Count) : std::pair(InstClass::Exit, 0.0f);
  };
  using Row = std::pair<InstClass, float>;
  const std::string Row16 = "wmma.mma.sync.aligned.row.col.m16n16k16.";
  EXPECT_EQ(Count(Row16 + "f32.f32"), Row(InstClass::MmaF16K16, 2));
  EXPECT_EQ(Count(Row16 + "f16.f16"), Row(InstClass::MmaF16AccF16K16, 2));
  EXPECT_EQ(Count(Row16 + "f32.bf16.bf16.f32"), Row(InstClass::MmaBf16K16, 2));
  EXPECT_EQ(Count(Row16 + "s32.s8.s8.s32"), Row(InstClass::MmaS8K16, 2));
  EXPECT_EQ(Count("wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32"),
            Row(InstClass::MmaTf32K4, 4));
  EXPECT_EQ(Count("wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64"),
            Row(InstClass::MmaF64, 1));
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
