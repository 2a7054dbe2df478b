//===- LikePtxasTest.cpp - What ptxas makes of a kernel -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Assembler/LowerLikePtxas.h"
#include "gpuocc/Kernel/Regions.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"
#include <optional>

using namespace gpuocc;

namespace {

/// Builds small kernels, block by block.
class Builder {
public:
  KernelFacts Facts;

  uint32_t block() {
    Facts.Blocks.emplace_back();
    Facts.Blocks.back().FirstOp = Facts.Operations.size();
    return Facts.Blocks.size() - 1;
  }

  uint32_t op(Semantics What, std::vector<Operand> Operands,
              std::vector<InstClass> Emits = {}) {
    Operation Op;
    Op.What = What;
    Op.Operands.assign(Operands.begin(), Operands.end());
    for (InstClass C : Emits)
      Op.Emits.push_back({C, 1, 1});
    Op.Block = Facts.Blocks.size() - 1;
    ++Facts.Blocks.back().NumOps;
    Facts.Operations.push_back(Op);
    return Facts.Operations.size() - 1;
  }

  uint32_t sreg(SpecialReg R) {
    uint32_t Op = op(Semantics::SReg, {}, {InstClass::S2R});
    Facts.Operations[Op].SReg = R;
    return Op;
  }

  uint32_t access(MemorySpace Space, AccessKind Kind, InstClass Class) {
    uint32_t Op = op(Semantics::Load, {}, {Class});
    MemoryAccess A;
    A.Op = Op;
    A.Space = Space;
    A.Kind = Kind;
    Facts.Operations[Op].Access = Facts.Accesses.size();
    Facts.Accesses.push_back(A);
    return Op;
  }

  /// Ends the last block: to \p Taken where \p Condition holds.
  void branch(uint32_t Condition, uint32_t Taken, uint32_t Other,
              uint32_t Join) {
    gpuocc::Branch B;
    B.Condition = Operand::value(Condition);
    B.Op = op(Semantics::Opaque, {B.Condition}, {InstClass::Branch});
    B.Block = Facts.Blocks.size() - 1;
    B.Targets = {Taken, Other};
    Facts.Blocks.back().Branch = Facts.Branches.size();
    Facts.Blocks.back().Successors = {Taken, Other};
    Facts.Blocks.back().PostDominator = Join;
    Facts.Branches.push_back(B);
  }

  void fallThrough(uint32_t To) {
    Facts.Blocks.back().Successors = {To};
    Facts.Blocks.back().PostDominator = To;
  }

  void exit() { op(Semantics::Opaque, {}, {InstClass::Exit}); }

  float count(InstClass Class) const {
    float Sum = 0;
    for (const Operation &Op : Facts.Operations)
      for (const Emission &E : Op.Emits)
        if (E.Class == Class)
          Sum += E.Count;
    return Sum;
  }

  void verify() const {
    llvm::Error E = verifyFacts(Facts);
    EXPECT_FALSE(bool(E)) << llvm::toString(std::move(E));
  }
};

/// if (tid < 8) { Side times an addition, which goes on.
Builder beginSide(unsigned Side, SpecialReg Register = SpecialReg::TidX,
                  InstClass SideClass = InstClass::FAdd) {
  Builder B;
  B.block();
  uint32_t Tid = B.sreg(Register);
  uint32_t Less =
      B.op(Semantics::Compare, {Operand::value(Tid), Operand::immediate(8)},
           {InstClass::ISetp});
  B.branch(Less, 1, 2, 2);
  B.block();
  for (unsigned I = 0; I != Side; ++I)
    B.op(Semantics::Opaque, {}, {SideClass});
  return B;
}

/// Ends a side, before an access of kind \p Kind to \p Space.
void endSide(Builder &B, MemorySpace Space = MemorySpace::Global,
             AccessKind Kind = AccessKind::Store) {
  B.fallThrough(2);
  B.block();
  B.access(Space, Kind, InstClass::StGlobal);
  B.exit();
  B.verify();
}

/// if (tid < 8) { Side times an addition }; then a store.
Builder oneSided(unsigned Side, SpecialReg Register = SpecialReg::TidX,
                 InstClass SideClass = InstClass::FAdd) {
  Builder B = beginSide(Side, Register, SideClass);
  endSide(B);
  return B;
}

/// for (i = Start; i != Bound; ++i) { p[0]; p += 16; }, where a negative Start
/// stands for a value from memory. \p Additions more are in the body, and p is
/// in \p Space.
Builder countedLoop(int Start, unsigned Additions = 0,
                    MemorySpace Space = MemorySpace::Global) {
  Builder B;
  B.block();
  uint32_t Unknown =
      B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
  B.fallThrough(1);
  B.block();
  Operand From =
      Start < 0 ? Operand::value(Unknown) : Operand::immediate(Start);
  uint32_t I = B.op(Semantics::Phi, {From, Operand()});
  uint32_t P = B.op(Semantics::Phi, {Operand::value(Unknown), Operand()});
  B.Facts.Operations[I].PhiBlocks = B.Facts.Operations[P].PhiBlocks = {0, 1};
  B.access(Space, AccessKind::Load, InstClass::LdGlobal);
  for (unsigned K = 0; K != Additions; ++K)
    B.op(Semantics::FAdd, {}, {InstClass::FAdd});
  uint32_t NextP =
      B.op(Semantics::Add, {Operand::value(P), Operand::immediate(16)},
           {InstClass::IAdd3, InstClass::IAdd3});
  B.Facts.Operations[NextP].Bits = 64;
  uint32_t NextI =
      B.op(Semantics::Add, {Operand::value(I), Operand::immediate(1)},
           {InstClass::IAdd3});
  B.Facts.Operations[I].Operands[1] = Operand::value(NextI);
  B.Facts.Operations[P].Operands[1] = Operand::value(NextP);
  uint32_t Go =
      B.op(Semantics::Compare, {Operand::value(NextI), Operand::immediate(64)},
           {InstClass::ISetp});
  B.branch(Go, 1, 2, 2);
  B.block();
  B.exit();
  gpuocc::Loop L;
  L.Header = 1;
  L.Blocks = L.Latches = {1};
  B.Facts.Loops.push_back(L);
  B.Facts.Blocks[1].Loop = 0;
  B.verify();
  return B;
}

/// The same with if (tid < 8) { Side times an addition } in the body.
Builder loopWithASide(unsigned Side) {
  Builder B;
  B.block();
  uint32_t Tid = B.sreg(SpecialReg::TidX);
  B.fallThrough(1);
  B.block();
  uint32_t I = B.op(Semantics::Phi, {Operand::value(Tid), Operand()});
  B.Facts.Operations[I].PhiBlocks = {0, 3};
  B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
  uint32_t Less =
      B.op(Semantics::Compare, {Operand::value(Tid), Operand::immediate(8)},
           {InstClass::ISetp});
  B.branch(Less, 2, 3, 3);
  B.block();
  for (unsigned K = 0; K != Side; ++K)
    B.op(Semantics::Opaque, {}, {InstClass::FAdd});
  B.fallThrough(3);
  B.block();
  uint32_t Next =
      B.op(Semantics::Add, {Operand::value(I), Operand::immediate(1)},
           {InstClass::IAdd3});
  B.Facts.Operations[I].Operands[1] = Operand::value(Next);
  uint32_t Go =
      B.op(Semantics::Compare, {Operand::value(Next), Operand::immediate(64)},
           {InstClass::ISetp});
  B.branch(Go, 1, 4, 4);
  B.block();
  B.exit();
  gpuocc::Loop L;
  L.Header = 1;
  L.Blocks = {1, 2, 3};
  L.Latches = {3};
  B.Facts.Loops.push_back(L);
  for (uint32_t Block : L.Blocks)
    B.Facts.Blocks[Block].Loop = 0;
  B.verify();
  return B;
}

} // namespace

TEST(FoldLikePtxas, RotationsDisappearIntoAdditions) {
  Builder B;
  B.block();
  uint32_t X = B.sreg(SpecialReg::TidX);
  uint32_t Rotated =
      B.op(Semantics::FunnelL,
           {Operand::value(X), Operand::value(X), Operand::immediate(7)},
           {InstClass::Shf});
  B.op(Semantics::Add, {Operand::value(Rotated), Operand::value(X)},
       {InstClass::IAdd3});
  foldLikePtxas(B.Facts);
  EXPECT_EQ(B.count(InstClass::Shf), 0);
  EXPECT_EQ(B.count(InstClass::IAdd3), 0);
  EXPECT_EQ(B.count(InstClass::Lea), 1);
}

/// Tests of the lowest \p Bits bits of a register, each by a mask and a
/// comparison; \p IsUsed: of the first, the bits themselves are used too.
static Builder bitTests(unsigned Bits, bool IsUsed) {
  Builder B;
  B.block();
  const Operand X = Operand::value(B.sreg(SpecialReg::TidX));
  for (unsigned I = 0; I != Bits; ++I) {
    const uint32_t Bit =
        B.op(Semantics::And, {X, Operand::immediate(int64_t(1) << I)},
             {InstClass::Lop3});
    B.op(Semantics::Compare, {Operand::value(Bit), Operand::immediate(0)},
         {InstClass::ISetp});
    B.Facts.Operations.back().Compare = ComparePredicate::NE;
    if (IsUsed && I == 0)
      B.op(Semantics::Add, {Operand::value(Bit), X}, {InstClass::IAdd3});
  }
  foldLikePtxas(B.Facts);
  return B;
}

/// Loads of four words of a variable in constant memory, the last of them far
/// from the others, by code for \p Architecture.
float uniformLoads(const char *Architecture) {
  Builder B;
  B.Facts.Architecture = Architecture;
  B.block();
  for (int64_t Offset : {0, 4, 8, 40}) {
    const uint32_t Load =
        B.access(MemorySpace::Constant, AccessKind::Load, InstClass::Ldc);
    MemoryAccess &A = B.Facts.Accesses.back();
    A.Base = Operand::symbol(0);
    A.OffsetBytes = Offset;
    B.op(Semantics::Opaque, {Operand::value(Load)}, {InstClass::FFma});
  }
  B.exit();
  foldLikePtxas(B.Facts);
  EXPECT_EQ(B.count(InstClass::Ldc), 0);
  return B.count(InstClass::Uldc);
}

TEST(FoldLikePtxas, OffsetsOfAtomicsAreOperands) {
  auto AdditionsOf = [](int64_t Offset, bool IsUsedTwice) {
    Builder B;
    B.block();
    const Operand X = Operand::value(B.sreg(SpecialReg::TidX));
    const uint32_t Address =
        B.op(Semantics::Add, {X, Operand::immediate(Offset)});
    Operation &Sum = B.Facts.Operations[Address];
    Sum.Bits = 64;
    Sum.Emits = {{InstClass::IAdd3, 2, 2}};
    B.access(MemorySpace::Global, AccessKind::Atomic, InstClass::AtomGlobal);
    B.Facts.Accesses.back().Base = Operand::value(Address);
    B.Facts.Operations.back().Operands = {Operand::value(Address)};
    if (IsUsedTwice)
      B.op(Semantics::Mul, {Operand::value(Address), X}, {InstClass::IMad});
    foldLikePtxas(B.Facts);
    return B.count(InstClass::IAdd3);
  };
  EXPECT_EQ(AdditionsOf(8, false), 0);
  EXPECT_EQ(AdditionsOf(8, true), 2);
  EXPECT_EQ(AdditionsOf(1 << 23, false), 2);
}

/// max(min(x + y, z), \p Least) for \p Architecture.
static Builder clampedSum(llvm::StringRef Architecture, int64_t Least,
                          bool IsUsedTwice = false) {
  Builder B;
  B.Facts.Architecture = Architecture;
  B.block();
  const Operand X = Operand::value(B.sreg(SpecialReg::TidX)),
                Y = Operand::value(B.sreg(SpecialReg::TidY)),
                Z = Operand::value(B.sreg(SpecialReg::TidZ));
  const Operand Sum =
      Operand::value(B.op(Semantics::Add, {X, Y}, {InstClass::IAdd3}));
  const Operand Min =
      Operand::value(B.op(Semantics::MinS, {Sum, Z}, {InstClass::IMnMx}));
  B.op(Semantics::MaxS, {Min, Operand::immediate(Least)}, {InstClass::IMnMx});
  if (IsUsedTwice)
    B.op(Semantics::Mul, {Sum, Z}, {InstClass::IMad});
  foldLikePtxas(B.Facts);
  return B;
}

TEST(FoldLikePtxas, ExtremesOfSumsAreOneInstruction) {
  // VIADDMNMX.RELU.
  Builder Relu = clampedSum("sm_90", 0);
  EXPECT_EQ(Relu.count(InstClass::IAdd3), 0);
  EXPECT_EQ(Relu.count(InstClass::IMnMx), 1);
  Builder Bound = clampedSum("sm_100", 7);
  EXPECT_EQ(Bound.count(InstClass::IAdd3), 0);
  EXPECT_EQ(Bound.count(InstClass::IMnMx), 2);
  // The sum is needed by itself.
  EXPECT_EQ(clampedSum("sm_90", 7, true).count(InstClass::IAdd3), 1);
  // IADD3, VIMNMX.RELU.
  Builder Consumer = clampedSum("sm_120", 0);
  EXPECT_EQ(Consumer.count(InstClass::IAdd3), 1);
  EXPECT_EQ(Consumer.count(InstClass::IMnMx), 1);
  Builder Ampere = clampedSum("sm_80", 0);
  EXPECT_EQ(Ampere.count(InstClass::IAdd3), 1);
  EXPECT_EQ(Ampere.count(InstClass::IMnMx), 2);
}

TEST(FoldLikePtxas, ConstantsAreOperandsOrUniformPairs) {
  EXPECT_EQ(uniformLoads("sm_80"), 0);
  EXPECT_EQ(uniformLoads("sm_90"), 3);
}

TEST(FoldLikePtxas, TestsOfBitsAreOneInstruction) {
  Builder Two = bitTests(2, false), Used = bitTests(2, true);
  EXPECT_EQ(Two.count(InstClass::Lop3) + Two.count(InstClass::ISetp), 2);
  EXPECT_EQ(Used.count(InstClass::Lop3) + Used.count(InstClass::ISetp), 3);
}

TEST(FoldLikePtxas, SevenBitsGoToPredicatesTogether) {
  // The eighth has an instruction of its own.
  Builder Eight = bitTests(8, false);
  EXPECT_EQ(Eight.count(InstClass::Lop3) + Eight.count(InstClass::ISetp), 2);
}

/// The address of a thread's words in a shared array, \p Stride bytes from
/// those of the next thread, in a new block of \p B.
static uint32_t rowOfTile(Builder &B, int64_t Stride) {
  gpuocc::Symbol Tile;
  Tile.Space = MemorySpace::Shared;
  Tile.SizeBytes = 8192;
  Tile.AlignBytes = 4;
  B.Facts.Symbols.push_back(Tile);
  B.block();
  return B.op(Semantics::Mad, {Operand::value(B.sreg(SpecialReg::TidX)),
                               Operand::immediate(Stride), Operand::symbol(0)});
}

/// Loads of four neighbouring words of a shared array, from Stride * tid.
static Builder fourWords(int64_t Stride, bool StoreBetween = false) {
  Builder B;
  const uint32_t Row = rowOfTile(B, Stride);
  uint32_t Sum = Row;
  for (int Word : {2, 0, 1, 3}) {
    if (StoreBetween && Word == 1)
      B.access(MemorySpace::Shared, AccessKind::Store, InstClass::StShared);
    uint32_t Load =
        B.access(MemorySpace::Shared, AccessKind::Load, InstClass::LdShared);
    B.Facts.Accesses.back().Base = Operand::value(Row);
    B.Facts.Accesses.back().OffsetBytes = 4 * Word;
    Sum = B.op(Semantics::Add, {Operand::value(Sum), Operand::value(Load)},
               {InstClass::IAdd3});
  }
  B.exit();
  widenLikePtxas(B.Facts);
  B.verify();
  return B;
}

TEST(WidenLikePtxas, AlignedNeighboursAreOneLoad) {
  Builder B = fourWords(128);
  EXPECT_EQ(B.count(InstClass::LdShared), 1);
  ASSERT_EQ(B.Facts.Accesses.size(), 1u);
  EXPECT_EQ(B.Facts.Accesses[0].BytesPerLane, 16u);
  EXPECT_EQ(B.Facts.Accesses[0].OffsetBytes, 0);
}

TEST(WidenLikePtxas, AlignmentLimitsTheWidth) {
  EXPECT_EQ(fourWords(132).count(InstClass::LdShared), 4);
  EXPECT_EQ(fourWords(8).count(InstClass::LdShared), 2);
}

/// Loads of single words of a shared array, 64 * tid and so many bytes on.
static Builder wordsAt(std::initializer_list<int64_t> Offsets) {
  Builder B;
  const uint32_t Row = rowOfTile(B, 64);
  for (int64_t Offset : Offsets) {
    B.access(MemorySpace::Shared, AccessKind::Load, InstClass::LdShared);
    B.Facts.Accesses.back().Base = Operand::value(Row);
    B.Facts.Accesses.back().OffsetBytes = Offset;
  }
  B.exit();
  widenLikePtxas(B.Facts);
  B.verify();
  return B;
}

// Machine code of ptxas 13.0 for sm_80 and sm_90 of kernels with such loads.
TEST(WidenLikePtxas, ThreeWordsOfAQuadAreOneLoad) {
  for (auto Offsets : {std::initializer_list<int64_t>{0, 4, 8},
                       {8, 0, 12},
                       {4, 8, 12},
                       {0, 4, 12}}) {
    const Builder B = wordsAt(Offsets);
    ASSERT_EQ(B.Facts.Accesses.size(), 1u);
    EXPECT_EQ(B.Facts.Accesses[0].BytesPerLane, 16u);
    EXPECT_EQ(B.Facts.Accesses[0].OffsetBytes, 0);
  }
  const Builder Second = wordsAt({16, 20, 28});
  ASSERT_EQ(Second.Facts.Accesses.size(), 1u);
  EXPECT_EQ(Second.Facts.Accesses[0].OffsetBytes, 16);
  EXPECT_EQ(wordsAt({0, 4, 8, 16, 24, 28}).Facts.Accesses.size(), 2u);
  EXPECT_EQ(wordsAt({0, 4, 8, 20, 24}).Facts.Accesses.size(), 3u);
  EXPECT_EQ(wordsAt({0, 8, 16}).Facts.Accesses.size(), 3u);
  EXPECT_EQ(wordsAt({4, 8}).Facts.Accesses.size(), 2u);
  EXPECT_EQ(wordsAt({8, 12, 16}).Facts.Accesses.size(), 2u);
}

TEST(WidenLikePtxas, NothingMovesAcrossAStore) {
  Builder B = fourWords(128, /*StoreBetween=*/true);
  EXPECT_EQ(B.count(InstClass::LdShared), 4);
}

/// Four words that a thread stores, \p Stride bytes from those of the next
/// thread. \p Between: the access that comes before the third.
Builder fourStores(int64_t Stride, std::optional<AccessKind> Between = {},
                   MemorySpace Of = MemorySpace::Shared) {
  Builder B;
  const uint32_t Row = rowOfTile(B, Stride);
  for (int Word : {1, 0, 2, 3}) {
    if (Between && Word == 2)
      B.access(Of, *Between,
               Of == MemorySpace::Shared ? InstClass::LdShared
                                         : InstClass::StGlobal);
    uint32_t Value =
        B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
    uint32_t Store =
        B.access(MemorySpace::Shared, AccessKind::Store, InstClass::StShared);
    B.Facts.Operations[Store].Operands = {Operand::value(Row),
                                          Operand::value(Value)};
    MemoryAccess &A = B.Facts.Accesses.back();
    A.Base = Operand::value(Row);
    A.OffsetBytes = 4 * Word;
    A.Stored = {Operand::value(Value)};
  }
  B.exit();
  widenLikePtxas(B.Facts);
  B.verify();
  return B;
}

TEST(WidenLikePtxas, AlignedNeighboursAreOneStore) {
  Builder B = fourStores(64);
  EXPECT_EQ(B.count(InstClass::StShared), 1);
  const MemoryAccess &Wide = B.Facts.Accesses.back();
  EXPECT_EQ(Wide.BytesPerLane, 16u);
  EXPECT_EQ(Wide.OffsetBytes, 0);
  EXPECT_EQ(Wide.Stored.size(), 4u);
  // The address and what is stored: it waits for all four loads.
  EXPECT_EQ(B.Facts.Operations[Wide.Op].Operands.size(), 5u);
  EXPECT_EQ(fourStores(20).count(InstClass::StShared), 4);
  EXPECT_EQ(fourStores(24).count(InstClass::StShared), 2);
}

TEST(WidenLikePtxas, StoresMoveAcrossNothingOfSharedMemory) {
  EXPECT_EQ(fourStores(64, AccessKind::Load).count(InstClass::StShared), 2);
  EXPECT_EQ(fourStores(64, AccessKind::Store, MemorySpace::Global)
                .count(InstClass::StShared),
            1);
}

TEST(WidenLikePtxas, BothChoicesHaveToBeAligned) {
  auto Loads = [](int64_t First, int64_t Second) {
    Builder B;
    gpuocc::Symbol Tile;
    Tile.SizeBytes = 4096;
    B.Facts.Symbols.push_back(Tile);
    B.block();
    uint32_t Holds =
        B.op(Semantics::Compare,
             {Operand::value(B.sreg(SpecialReg::TidX)), Operand::immediate(7)});
    uint32_t Row = B.op(Semantics::Select,
                        {Operand::immediate(First), Operand::immediate(Second),
                         Operand::value(Holds)});
    for (int Word : {0, 1}) {
      B.access(MemorySpace::Shared, AccessKind::Load, InstClass::LdShared);
      B.Facts.Accesses.back().Base = Operand::value(Row);
      B.Facts.Accesses.back().OffsetBytes = 4 * Word;
    }
    B.exit();
    widenLikePtxas(B.Facts);
    return B.count(InstClass::LdShared);
  };
  EXPECT_EQ(Loads(128, 256), 1);
  EXPECT_EQ(Loads(132, 256), 2);
  EXPECT_EQ(Loads(128, 260), 2);
}

TEST(NarrowLikePtxas, UpperHalvesThatNobodyReadsAreLeftOut) {
  auto Halves = [](bool Truncated) {
    Builder B;
    B.block();
    uint32_t X =
        B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
    uint32_t Sum = B.op(Semantics::Add, {Operand::value(X), Operand::value(X)},
                        {InstClass::IAdd3});
    B.Facts.Operations[Sum].Bits = 64;
    B.Facts.Operations[Sum].Emits[0].Count = 2;
    uint32_t Use = B.op(Truncated ? Semantics::Trunc : Semantics::Opaque,
                        {Operand::value(Sum)});
    B.Facts.Operations[Use].Bits = 32;
    narrowLikePtxas(B.Facts);
    return B.count(InstClass::IAdd3);
  };
  EXPECT_EQ(Halves(/*Truncated=*/true), 1);
  EXPECT_EQ(Halves(/*Truncated=*/false), 2);
}

// The counts are those of ptxas 13.0 (NarrowLikePtxas.cpp).
TEST(NarrowLikePtxas, ZerosOfUpperHalvesShortenProducts) {
  auto Instructions = [](bool FirstNarrow, bool SecondNarrow) {
    Builder B;
    B.block();
    auto Factor = [&](bool IsNarrow) {
      const uint32_t X = B.op(IsNarrow ? Semantics::ZExt : Semantics::Opaque,
                              {Operand::immediate(7)});
      B.Facts.Operations[X].Bits = 64;
      B.Facts.Operations[X].FromBits = 32;
      return Operand::value(X);
    };
    const Operand First = Factor(FirstNarrow), Second = Factor(SecondNarrow);
    const uint32_t Product =
        B.op(Semantics::Mul, {First, Second},
             {InstClass::IMad, InstClass::IMadWide, InstClass::IAdd3});
    B.Facts.Operations[Product].Bits = 64;
    B.Facts.Operations[Product].Emits[0].Count = 2;
    B.Facts.Operations[B.op(Semantics::Opaque, {Operand::value(Product)})]
        .Bits = 64;
    B.exit();
    narrowLikePtxas(B.Facts);
    return B.count(InstClass::IMad) + B.count(InstClass::IMadWide) +
           B.count(InstClass::IAdd3);
  };
  EXPECT_EQ(Instructions(false, false), 4);
  EXPECT_EQ(Instructions(true, false), 2);
  EXPECT_EQ(Instructions(true, true), 2);
}

TEST(NarrowLikePtxas, AddressesInSharedMemoryHave32Bits) {
  auto Halves = [](MemorySpace Space) {
    Builder B;
    B.block();
    uint32_t X =
        B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
    uint32_t Sum = B.op(Semantics::Add, {Operand::value(X), Operand::value(X)},
                        {InstClass::IAdd3});
    B.Facts.Operations[Sum].Bits = 64;
    B.Facts.Operations[Sum].Emits[0].Count = 2;
    uint32_t Load = B.access(Space, AccessKind::Load, InstClass::LdShared);
    B.Facts.Operations[Load].Operands = {Operand::value(Sum)};
    B.Facts.Accesses.back().Base = Operand::value(Sum);
    narrowLikePtxas(B.Facts);
    return B.count(InstClass::IAdd3);
  };
  EXPECT_EQ(Halves(MemorySpace::Shared), 1);
  EXPECT_EQ(Halves(MemorySpace::Local), 1);
  EXPECT_EQ(Halves(MemorySpace::Global), 2);
  EXPECT_EQ(Halves(MemorySpace::Generic), 2);
}

TEST(BalanceLikePtxas, CountsStayAndThreeInputAdditionsToo) {
  Builder B;
  B.block();
  uint32_t X = B.sreg(SpecialReg::TidX);
  uint32_t Two = B.op(Semantics::Add, {Operand::value(X), Operand::value(X)},
                      {InstClass::IAdd3});
  uint32_t Inner = B.op(Semantics::Add, {Operand::value(X), Operand::value(X)});
  uint32_t Three =
      B.op(Semantics::Add, {Operand::value(Inner), Operand::value(X)},
           {InstClass::IAdd3});
  balanceLikePtxas(B.Facts);
  EXPECT_FLOAT_EQ(B.count(InstClass::IAdd3) + B.count(InstClass::IMad), 2);
  EXPECT_EQ(B.Facts.Operations[Two].Emits.size(), 2u);
  EXPECT_EQ(B.Facts.Operations[Three].Emits.size(), 1u);
}

namespace {

/// A loop that divides by something known before it, or by its counter.
struct DivisionsInALoop : Builder {
  uint32_t Before = 0, First = 0, Second = 0;

  explicit DivisionsInALoop(bool ByCounter) {
    block();
    Before = op(Semantics::Load, {}, {InstClass::Ldc});
    uint32_t Loop = block();
    uint32_t Counter = op(Semantics::Phi, {});
    Operand Divisor = Operand::value(ByCounter ? Counter : Before);
    First = division(Divisor);
    Second = division(Divisor);
    Facts.Blocks[Loop].Loop = 0;
    Facts.Loops.emplace_back();
    Facts.Loops.back().Header = Loop;
    Facts.Loops.back().Blocks = {Loop};
  }

  uint32_t division(Operand Divisor) {
    return op(Semantics::DivU, {Operand::value(Before), Divisor},
              {InstClass::CvtI2F, InstClass::MufuRcp, InstClass::CvtF2I,
               InstClass::IMadHi, InstClass::Sel});
  }

  bool hasReciprocal(uint32_t Op) const {
    return llvm::any_of(Facts.Operations[Op].Emits, [](const Emission &E) {
      return E.Class == InstClass::MufuRcp;
    });
  }
};

} // namespace

TEST(ShareLikePtxas, ReciprocalsLeaveLoopsThatKeepTheDivisor) {
  DivisionsInALoop K(/*ByCounter=*/false);
  shareDivisorsLikePtxas(K.Facts);
  EXPECT_TRUE(K.hasReciprocal(K.Before));
  EXPECT_FALSE(K.hasReciprocal(K.First));
  EXPECT_FALSE(K.hasReciprocal(K.Second));
  EXPECT_EQ(K.Facts.Operations[K.First].Emits.back().Class, InstClass::Sel);
}

TEST(ShareLikePtxas, OneReciprocalServesDivisionsByTheSame) {
  DivisionsInALoop K(/*ByCounter=*/true);
  shareDivisorsLikePtxas(K.Facts);
  EXPECT_FALSE(K.hasReciprocal(K.Before));
  EXPECT_TRUE(K.hasReciprocal(K.First));
  EXPECT_FALSE(K.hasReciprocal(K.Second));
}

TEST(UniformLikePtxas, ConstantsThatAllLanesShareAreUniform) {
  Builder B;
  B.block();
  uint32_t C =
      B.access(MemorySpace::Constant, AccessKind::Load, InstClass::Ldc);
  B.op(Semantics::Add, {Operand::value(C), Operand::immediate(1)},
       {InstClass::IAdd3});
  uint32_t Tid = B.sreg(SpecialReg::TidX);
  B.op(Semantics::Add, {Operand::value(C), Operand::value(Tid)},
       {InstClass::IAdd3});
  useUniformDatapathLikePtxas(B.Facts);
  EXPECT_EQ(B.count(InstClass::Uldc), 1);
  EXPECT_EQ(B.count(InstClass::UInt), 1);
  EXPECT_EQ(B.count(InstClass::IAdd3), 1);
}

/// if (tid < 8) { an addition } else { another }, behind each side a jump of
/// its own or none. \p IsFlipped stores the successors the other way round, as
/// modules may.
static Builder twoSided(bool FirstJumps, bool SecondJumps,
                        bool IsFlipped = false) {
  Builder B;
  B.block();
  uint32_t Tid = B.sreg(SpecialReg::TidX);
  B.branch(Tid, 1, 2, 3);
  if (IsFlipped)
    B.Facts.Blocks[0].Successors = {2, 1};
  for (bool Jumps : {FirstJumps, SecondJumps}) {
    B.block();
    B.op(Semantics::Opaque, {}, {InstClass::FAdd});
    if (Jumps)
      B.op(Semantics::Opaque, {}, {InstClass::Branch});
    B.fallThrough(3);
  }
  B.block();
  B.exit();
  return B;
}

TEST(PlaceLikePtxas, OneOfTwoSidesNeedsAJump) {
  for (bool FirstJumps : {false, true})
    for (bool SecondJumps : {false, true})
      for (bool IsFlipped : {false, true}) {
        Builder B = twoSided(FirstJumps, SecondJumps, IsFlipped);
        placeJumpsLikePtxas(B.Facts);
        // That of the branch, and one behind the side that is taken, which
        // comes last.
        EXPECT_EQ(B.count(InstClass::Branch), 2);
        auto Jumps = [&](uint32_t Block) {
          return llvm::any_of(B.Facts.Operations, [&](const Operation &Op) {
            return Op.Block == Block &&
                   llvm::any_of(Op.Emits, [](const Emission &E) {
                     return E.Class == InstClass::Branch;
                   });
          });
        };
        EXPECT_FALSE(Jumps(2));
        EXPECT_TRUE(Jumps(1));
        B.verify();
      }
}

TEST(PlaceLikePtxas, PredicatedSidesAreNotFollowed) {
  Builder B = twoSided(true, true);
  B.Facts.Blocks[2].PredicatedInto = 0;
  B.Facts.Operations[B.Facts.Blocks[2].FirstOp + 1].Emits.clear();
  placeJumpsLikePtxas(B.Facts);
  EXPECT_EQ(B.count(InstClass::Branch), 1);
}

TEST(PlaceLikePtxas, JumpsThatCloseLoopsStay) {
  Builder B;
  B.block();
  uint32_t Tid = B.sreg(SpecialReg::TidX);
  B.branch(Tid, 2, 1, 2);
  B.block();
  B.op(Semantics::Opaque, {}, {InstClass::Branch});
  B.fallThrough(0);
  B.block();
  B.exit();
  gpuocc::Loop L;
  L.Header = 0;
  L.Blocks = {0, 1};
  L.Latches = {1};
  B.Facts.Loops.push_back(L);
  B.Facts.Blocks[0].Loop = B.Facts.Blocks[1].Loop = 0;
  placeJumpsLikePtxas(B.Facts);
  EXPECT_EQ(B.count(InstClass::Branch), 2);
}

TEST(PredicateLikePtxas, ShortSidesLoseTheirBranch) {
  Builder B = oneSided(8);
  predicateLikePtxas(B.Facts);
  EXPECT_EQ(B.Facts.Blocks[1].PredicatedInto, 0u);
  EXPECT_EQ(B.count(InstClass::Branch), 0);
  EXPECT_EQ(B.count(InstClass::FAdd), 8);
  B.verify();
}

TEST(PredicateLikePtxas, LongSidesKeepIt) {
  Builder B = oneSided(9);
  predicateLikePtxas(B.Facts);
  EXPECT_EQ(B.Facts.Blocks[1].PredicatedInto, NoIndex);
  EXPECT_EQ(B.count(InstClass::Branch), 1);
}

/// if (tid < 8) { Side additions and a load of global memory; }, before an
/// access of kind \p Kind to \p Space.
Builder loadsAside(unsigned Side, MemorySpace Space, AccessKind Kind) {
  Builder B = beginSide(Side);
  B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
  endSide(B, Space, Kind);
  return B;
}

// Loads of other sides, or of what follows, are under way with it.
TEST(PredicateLikePtxas, LoadsArePredicatedBesideOthers) {
  auto IsPredicated = [](unsigned Side, MemorySpace Space, AccessKind Kind) {
    Builder B = loadsAside(Side, Space, Kind);
    predicateLikePtxas(B.Facts);
    return B.count(InstClass::Branch) == 0;
  };
  EXPECT_TRUE(IsPredicated(19, MemorySpace::Shared, AccessKind::Store));
  EXPECT_FALSE(IsPredicated(20, MemorySpace::Shared, AccessKind::Store));
  EXPECT_TRUE(IsPredicated(19, MemorySpace::Global, AccessKind::Load));
  EXPECT_FALSE(IsPredicated(0, MemorySpace::Global, AccessKind::Store));
}

// Behind a load nothing has to follow that uses memory.
TEST(PredicateLikePtxas, LoadsArePredicatedBehindOthers) {
  auto IsPredicated = [](MemorySpace Space, AccessKind Kind) {
    Builder B;
    B.block();
    uint32_t Tid = B.sreg(SpecialReg::TidX);
    B.access(Space, Kind, InstClass::LdGlobal);
    B.branch(Tid, 1, 2, 2);
    B.block();
    B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
    endSide(B);
    predicateLikePtxas(B.Facts);
    return B.Facts.Blocks[1].PredicatedInto == 0;
  };
  EXPECT_TRUE(IsPredicated(MemorySpace::Global, AccessKind::Load));
  EXPECT_TRUE(IsPredicated(MemorySpace::Shared, AccessKind::Load));
  EXPECT_FALSE(IsPredicated(MemorySpace::Global, AccessKind::Store));
  EXPECT_FALSE(IsPredicated(MemorySpace::Global, AccessKind::Atomic));
}

/// if (tid && ctaid + ... && ...) x += 1, with \p Conditions further conditions
/// of \p Additions additions each. \p IsKept: the first of them is used later.
/// \p Loads: a load stands before all conditions, and one in the side.
Builder manyConditions(unsigned Conditions, unsigned Additions,
                       bool IsKept = false, bool Loads = false) {
  Builder B;
  const uint32_t Side = Conditions + 1, Join = Conditions + 2;
  B.block();
  uint32_t Condition = B.sreg(SpecialReg::TidX), Kept = Condition;
  if (Loads)
    B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
  B.branch(Condition, 1, Join, Join);
  for (unsigned C = 1; C <= Conditions; ++C) {
    B.block();
    for (unsigned I = 0; I != Additions; ++I)
      Condition = B.op(Semantics::Add,
                       {Operand::value(Condition), Operand::immediate(1)},
                       {InstClass::IAdd3});
    Condition = B.op(Semantics::Compare,
                     {Operand::value(Condition), Operand::immediate(9)},
                     {InstClass::ISetp});
    if (C == 1 && IsKept)
      Kept = Condition;
    B.branch(Condition, C + 1, Join, Join);
  }
  B.block();
  if (Loads)
    B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
  const uint32_t Sum = B.op(Semantics::Opaque, {}, {InstClass::FAdd});
  B.fallThrough(Join);
  B.block();
  const uint32_t Phi =
      B.op(Semantics::Phi, {Operand::value(Kept), Operand::value(Sum)});
  B.Facts.Operations[Phi].PhiBlocks = {1, Side};
  B.op(Semantics::Opaque, {Operand::value(Phi)}, {InstClass::StGlobal});
  B.exit();
  return B;
}

// The limits are those of ptxas 13.0 (PredicateLikePtxas.cpp).
TEST(PredicateLikePtxas, ConditionsBecomeOne) {
  auto BranchesOf = [](Builder B) {
    predicateLikePtxas(B.Facts);
    B.verify();
    return B.count(InstClass::Branch);
  };
  EXPECT_EQ(BranchesOf(manyConditions(1, 4)), 0);
  EXPECT_EQ(BranchesOf(manyConditions(1, 6)), 1);
  EXPECT_EQ(BranchesOf(manyConditions(2, 1)), 0);
  EXPECT_EQ(BranchesOf(manyConditions(2, 2)), 1);
  EXPECT_EQ(BranchesOf(manyConditions(3, 0)), 0);
  EXPECT_EQ(BranchesOf(manyConditions(3, 1)), 1);
  EXPECT_EQ(BranchesOf(manyConditions(1, 0, true)), 1);
  // The load before the first condition is under way behind the last.
  EXPECT_EQ(BranchesOf(manyConditions(2, 1, false, true)), 0);
}

TEST(PredicateLikePtxas, ConditionsAreScheduledWithTheirBlock) {
  Builder B = manyConditions(2, 0);
  predicateLikePtxas(B.Facts);
  EXPECT_EQ(regionsOf(B.Facts).size(), 1u);
  EXPECT_EQ(issuingBlock(B.Facts, 3), 0u);
}

/// if (tid) { First additions, and a load of global memory if \p Loads } else
/// { Second additions }; then a store.
Builder bothSides(unsigned First, unsigned Second, bool Loads = false) {
  Builder B;
  B.block();
  B.branch(B.sreg(SpecialReg::TidX), 1, 2, 3);
  for (unsigned Side : {First, Second}) {
    B.block();
    for (unsigned I = 0; I != Side; ++I)
      B.op(Semantics::Opaque, {}, {InstClass::FAdd});
    if (Loads && B.Facts.Blocks.size() == 2)
      B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
    B.op(Semantics::Opaque, {}, {InstClass::Branch});
    B.fallThrough(3);
  }
  B.block();
  B.access(MemorySpace::Global, AccessKind::Store, InstClass::StGlobal);
  B.exit();
  B.verify();
  return B;
}

TEST(PredicateLikePtxas, TwoShortSidesLoseTheirJumps) {
  auto JumpsLeft = [](unsigned First, unsigned Second, bool Loads = false) {
    Builder B = bothSides(First, Second, Loads);
    predicateLikePtxas(B.Facts);
    B.verify();
    EXPECT_EQ(regionsOf(B.Facts).size(),
              B.count(InstClass::Branch) == 0 ? 1u : 4u);
    return B.count(InstClass::Branch);
  };
  EXPECT_EQ(JumpsLeft(7, 7), 0);
  EXPECT_EQ(JumpsLeft(8, 1), 3);
  EXPECT_EQ(JumpsLeft(1, 8), 3);
  EXPECT_EQ(JumpsLeft(17, 9, /*Loads=*/true), 0);
  EXPECT_EQ(JumpsLeft(17, 10, /*Loads=*/true), 3);
  EXPECT_EQ(JumpsLeft(20, 1, /*Loads=*/true), 3);
}

/// other = p[0]; select(tid, other + tid, other).
struct Choice {
  Builder B;
  uint32_t Sum, Other, Select;

  Choice() {
    B.block();
    uint32_t Tid = B.sreg(SpecialReg::TidX);
    Other =
        B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
    Sum = B.op(Semantics::Add, {Operand::value(Other), Operand::value(Tid)},
               {InstClass::IAdd3});
    Select =
        B.op(Semantics::Select,
             {Operand::value(Sum), Operand::value(Other), Operand::value(Tid)},
             {InstClass::Sel});
    for (uint32_t Op : {Sum, Other, Select})
      B.Facts.Operations[Op].Bits = 32;
  }

  float selects() {
    B.exit();
    chooseLikePtxas(B.Facts);
    EXPECT_EQ(B.count(InstClass::IAdd3), 1);
    return B.count(InstClass::Sel);
  }
};

TEST(ChooseLikePtxas, WhatIsComputedForAChoiceIsPredicated) {
  EXPECT_EQ(Choice().selects(), 0);
}

TEST(ChooseLikePtxas, ValuesThatAreUsedAgainAreChosen) {
  for (bool IsSum : {false, true}) {
    Choice C;
    C.B.op(Semantics::Opaque, {Operand::value(IsSum ? C.Sum : C.Other)},
           {InstClass::FAdd});
    EXPECT_EQ(C.selects(), 1);
  }
}

TEST(ChooseLikePtxas, ConstantsAndWideValuesAreChosen) {
  Choice Constant;
  Constant.B.Facts.Operations[Constant.Select].Operands[1] =
      Operand::immediate(0);
  EXPECT_EQ(Constant.selects(), 1);
  Choice Wide;
  Wide.B.Facts.Operations[Wide.Select].Bits = 64;
  EXPECT_EQ(Wide.selects(), 1);
}

/// n = tid ? n + 1 : Other in a loop of one block, where Other is n or, if
/// \p IsComputed, n * 3.
float selectsInLoop(bool IsComputed) {
  Builder B;
  B.block();
  uint32_t Tid = B.sreg(SpecialReg::TidX);
  B.fallThrough(1);
  B.block();
  uint32_t Phi = B.op(Semantics::Phi, {Operand::value(Tid)});
  uint32_t Sum =
      B.op(Semantics::Add, {Operand::value(Phi), Operand::immediate(1)},
           {InstClass::IAdd3});
  uint32_t Other = Phi;
  if (IsComputed)
    Other = B.op(Semantics::Mul, {Operand::value(Phi), Operand::immediate(3)},
                 {InstClass::IMad});
  uint32_t Select =
      B.op(Semantics::Select,
           {Operand::value(Sum), Operand::value(Other), Operand::value(Tid)},
           {InstClass::Sel});
  for (uint32_t Op : {Phi, Sum, Other, Select})
    B.Facts.Operations[Op].Bits = 32;
  B.Facts.Operations[Phi].Operands.push_back(Operand::value(Select));
  B.Facts.Operations[Phi].PhiBlocks = {0, 1};
  B.branch(Select, 1, 2, 2);
  B.block();
  B.exit();
  chooseLikePtxas(B.Facts);
  return B.count(InstClass::Sel);
}

TEST(ChooseLikePtxas, LoopsThatReadTheOldValueChoose) {
  EXPECT_EQ(selectsInLoop(false), 0);
  EXPECT_EQ(selectsInLoop(true), 1);
}

TEST(PredicateLikePtxas, ShufflesAreNotPredicated) {
  Builder B = oneSided(1, SpecialReg::TidX, InstClass::Shfl);
  predicateLikePtxas(B.Facts);
  EXPECT_EQ(B.count(InstClass::Branch), 1);
}

TEST(PredicateLikePtxas, SidesThatOnlyChooseBecomeSelects) {
  Builder B = oneSided(0);
  Operation Phi;
  Phi.What = Semantics::Phi;
  Phi.Operands = {Operand::value(0), Operand::immediate(1)};
  Phi.PhiBlocks = {0, 1};
  Phi.Block = 2;
  B.Facts.Operations.back() = Phi;
  B.verify();
  predicateLikePtxas(B.Facts);
  EXPECT_EQ(B.count(InstClass::Branch), 0);
  EXPECT_EQ(B.count(InstClass::Sel), 1);
}

TEST(ConvergeLikePtxas, OnlyBranchesThatMayDiverge) {
  Builder ByThread = oneSided(20);
  convergeLikePtxas(ByThread.Facts);
  EXPECT_EQ(ByThread.count(InstClass::Converge), 2);
  Builder ByBlock = oneSided(20, SpecialReg::CtaIdX);
  convergeLikePtxas(ByBlock.Facts);
  EXPECT_EQ(ByBlock.count(InstClass::Converge), 0);
}

TEST(ConvergeLikePtxas, LoopsWithDivergentExitsMeetOnceBehindThem) {
  // The counter starts from a loaded value, and a store follows.
  Builder B = countedLoop(-1);
  B.access(MemorySpace::Global, AccessKind::Store, InstClass::StGlobal);
  B.verify();
  convergeLikePtxas(B.Facts);
  uint32_t Before = B.Facts.Blocks[0].FirstOp;
  EXPECT_EQ(B.Facts.Operations[Before].Emits.back().Class, InstClass::Converge);
}

TEST(UnrollLikePtxas, IterationsShareControlAndAddresses) {
  Builder B = countedLoop(-1);
  unrollLikePtxas(B.Facts);
  EXPECT_EQ(B.Facts.Loops[0].UnrolledBy, 4u);
  // Lanes begin with loaded values: as many checks stand before the loop.
  EXPECT_EQ(B.count(InstClass::Branch), 5.25f);
  EXPECT_EQ(B.count(InstClass::ISetp), 5.25f);
  EXPECT_EQ(B.count(InstClass::Converge), 5);
  // A counter, and the two halves of a pointer.
  EXPECT_EQ(B.count(InstClass::IAdd3), 2.75f);
  EXPECT_EQ(B.count(InstClass::LdGlobal), 2);
}

TEST(UnrollLikePtxas, ShortKnownLoopsDisappear) {
  Builder B = countedLoop(0);
  unrollLikePtxas(B.Facts);
  EXPECT_EQ(B.Facts.Loops[0].UnrolledBy, 64u);
  EXPECT_EQ(B.count(InstClass::Branch), 0);
  EXPECT_EQ(B.count(InstClass::IAdd3), 0);
}

TEST(UnrollLikePtxas, LongerKnownLoopsHaveAsManyCopiesAsFit) {
  // A load and 24 additions cost 26: 13 copies fit, and 12 leave four of the 64
  // iterations over, which is fewest from ten copies on.
  Builder B = countedLoop(0, 24);
  unrollLikePtxas(B.Facts);
  EXPECT_EQ(B.Facts.Loops[0].UnrolledBy, 12u);
  EXPECT_EQ(B.count(InstClass::Branch), 1.0f / 12);
  // No two copies of such a body fit.
  Builder Long = countedLoop(0, 200);
  unrollLikePtxas(Long.Facts);
  EXPECT_EQ(Long.Facts.Loops[0].UnrolledBy, 1u);
}

TEST(UnrollLikePtxas, HowLongABodyMayBeFollowsWhatItLoads) {
  auto Most = [](MemorySpace Space) {
    for (unsigned Additions = 0;; ++Additions) {
      Builder B = countedLoop(-1, Additions, Space);
      unrollLikePtxas(B.Facts);
      if (B.Facts.Loops[0].UnrolledBy == 1)
        return Additions - 1;
    }
  };
  // The load counts two, its pointer, counter, comparison and jump four.
  EXPECT_EQ(Most(MemorySpace::Global), 51u - 6);
  EXPECT_EQ(Most(MemorySpace::Shared), 28u - 6);
  EXPECT_EQ(Most(MemorySpace::Constant), 23u - 6);
}

TEST(UnrollLikePtxas, PredicatedSidesAreUnrolledWithTheirLoop) {
  Builder Short = loopWithASide(2);
  predicateLikePtxas(Short.Facts);
  unrollLikePtxas(Short.Facts);
  EXPECT_EQ(Short.Facts.Loops[0].UnrolledBy, 4u);
  EXPECT_EQ(Short.count(InstClass::FAdd), 2);
  EXPECT_EQ(Short.count(InstClass::IAdd3), 2.25f);
  Builder Long = loopWithASide(20);
  predicateLikePtxas(Long.Facts);
  unrollLikePtxas(Long.Facts);
  EXPECT_EQ(Long.Facts.Loops[0].UnrolledBy, 1u);
  EXPECT_EQ(Long.count(InstClass::IAdd3), 1);
}

TEST(UnrollLikePtxas, RemaindersStayRolled) {
  Builder B = countedLoop(-1);
  B.Facts.Loops[0].NoUnroll = true;
  unrollLikePtxas(B.Facts);
  EXPECT_EQ(B.Facts.Loops[0].UnrolledBy, 1u);
  EXPECT_EQ(B.count(InstClass::Branch), 1);
}

TEST(UnrollLikePtxas, LoopsThatAnUnconditionalJumpRepeatsStayRolled) {
  // Known length or not.
  for (int Start : {-1, 0}) {
    Builder B = countedLoop(Start);
    auto &Targets = B.Facts.Branches[0].Targets;
    ASSERT_EQ(Targets.size(), 2u);
    std::swap(Targets[0], Targets[1]);
    unrollLikePtxas(B.Facts);
    EXPECT_EQ(B.Facts.Loops[0].UnrolledBy, 1u);
    EXPECT_EQ(B.count(InstClass::Branch), 1);
  }
}

TEST(BeginLikePtxas, SharedMemoryNeedsItsWindow) {
  Builder Global = oneSided(1);
  beginLikePtxas(Global.Facts);
  EXPECT_EQ(Global.count(InstClass::Ldc), 1);
  EXPECT_EQ(Global.count(InstClass::Uldc), 1);
  Builder Shared = oneSided(1);
  Shared.Facts.Accesses[0].Space = MemorySpace::Shared;
  beginLikePtxas(Shared.Facts);
  EXPECT_EQ(Shared.count(InstClass::Uldc), 0);
  EXPECT_EQ(Shared.count(InstClass::S2R), Global.count(InstClass::S2R) + 1);
}

TEST(BeginLikePtxas, FollowsTheArchitecture) {
  auto Begin = [](llvm::StringRef Architecture) {
    Builder B = oneSided(1);
    B.Facts.Accesses[0].Space = MemorySpace::Shared;
    B.Facts.Architecture = Architecture.str();
    const int Before = int(B.count(InstClass::S2R));
    beginLikePtxas(B.Facts);
    return std::array<int, 3>{int(B.count(InstClass::Mov)),
                              int(B.count(InstClass::Ldc)),
                              int(B.count(InstClass::S2R)) - Before};
  };
  EXPECT_EQ(Begin("sm_52"), (std::array<int, 3>{1, 0, 0}));
  EXPECT_EQ(Begin("sm_80"), (std::array<int, 3>{1, 0, 0}));
  EXPECT_EQ(Begin("sm_90a"), (std::array<int, 3>{0, 1, 1}));
  EXPECT_EQ(Begin("sm_100"), (std::array<int, 3>{0, 1, 1}));
}

TEST(BeginLikePtxas, AddressesOfVariablesAreLoadedOnce) {
  for (auto [Architecture, Space, Loads] :
       {std::tuple("sm_90", MemorySpace::Global, 1),
        {"sm_90", MemorySpace::Shared, 0},
        {"sm_80", MemorySpace::Global, 0}}) {
    Builder B = oneSided(1);
    beginLikePtxas(B.Facts);
    B.Facts.Architecture = Architecture;
    const int Before = int(B.count(InstClass::Ldc));
    B.Facts.Symbols.emplace_back();
    B.Facts.Symbols[0].Space = Space;
    for (unsigned I : {0u, 1u})
      B.Facts.Operations[I].Operands.push_back(Operand::symbol(0));
    beginLikePtxas(B.Facts);
    const int OfStart = std::string(Architecture) == "sm_90" ? 1 : 0;
    EXPECT_EQ(B.count(InstClass::Ldc) - Before, OfStart + Loads)
        << Architecture;
  }
}

TEST(BeginLikePtxas, DescriptorsComeWithAmpere) {
  for (auto [Architecture, Descriptors] :
       {std::pair("sm_75", 0), std::pair("sm_80", 1), std::pair("sm_90", 1)}) {
    Builder B = oneSided(1);
    B.Facts.Architecture = Architecture;
    beginLikePtxas(B.Facts);
    EXPECT_EQ(B.count(InstClass::Uldc), Descriptors) << Architecture;
  }
}

/// blockIdx.x and blockDim.x as sm_90 reads them.
static Builder specialRegisters(llvm::StringRef Architecture) {
  Builder B;
  B.Facts.Architecture = Architecture.str();
  B.block();
  B.Facts.Operations[B.sreg(SpecialReg::CtaIdX)].Emits = {
      {InstClass::S2UR, 1, 1}};
  B.Facts.Operations[B.sreg(SpecialReg::NTidX)].Emits = {
      {InstClass::Uldc, 1, 0.5}};
  return B;
}

TEST(SelectLikePtxas, ReadsSpecialRegistersAsTheArchitectureDoes) {
  for (llvm::StringRef Architecture : {"", "sm_90", "sm_90a", "sm_120"}) {
    Builder B = specialRegisters(Architecture);
    selectLikePtxas(B.Facts);
    EXPECT_EQ(B.count(InstClass::S2UR), 1) << Architecture.str();
    EXPECT_EQ(B.count(InstClass::Uldc), 1) << Architecture.str();
  }
  for (llvm::StringRef Architecture : {"sm_52", "sm_75", "sm_80", "sm_89"}) {
    Builder B = specialRegisters(Architecture);
    selectLikePtxas(B.Facts);
    EXPECT_EQ(B.count(InstClass::S2UR), 0) << Architecture.str();
    EXPECT_EQ(B.count(InstClass::S2R), 1) << Architecture.str();
    EXPECT_EQ(B.count(InstClass::Uldc), 0) << Architecture.str();
  }
}

/// `*Out = N * M + In[N]`, whose parameters are loaded by LDC.
Builder parameters(llvm::StringRef Architecture) {
  Builder B;
  B.Facts.Architecture = Architecture.str();
  B.block();
  auto Param = [&](uint8_t Bits) {
    const uint32_t Op = B.op(Semantics::Param, {}, {InstClass::Ldc});
    B.Facts.Operations[Op].Bits = Bits;
    return Operand::value(Op);
  };
  const Operand N = Param(32), M = Param(32), In = Param(64), Out = Param(64);
  const Operand Place = Operand::value(B.op(
      Semantics::Mad, {N, Operand::immediate(4), In}, {InstClass::IMadWide}));
  const uint32_t Load =
      B.access(MemorySpace::Global, AccessKind::Load, InstClass::LdGlobal);
  B.Facts.Accesses.back().Base = Place;
  const Operand Sum = Operand::value(
      B.op(Semantics::Mad, {N, M, Operand::value(Load)}, {InstClass::IMad}));
  B.access(MemorySpace::Global, AccessKind::Store, InstClass::StGlobal);
  B.Facts.Accesses.back().Base = Out;
  B.Facts.Accesses.back().Stored = {Sum};
  return B;
}

TEST(SelectLikePtxas, ReadsParametersAsTheArchitectureDoes) {
  Builder Hopper = parameters("sm_90");
  selectLikePtxas(Hopper.Facts);
  EXPECT_EQ(Hopper.count(InstClass::Ldc), 4);
  EXPECT_EQ(Hopper.count(InstClass::Mov), 0);
  for (llvm::StringRef Architecture : {"sm_75", "sm_80", "sm_89"}) {
    Builder B = parameters(Architecture);
    selectLikePtxas(B.Facts);
    EXPECT_EQ(B.count(InstClass::Ldc), 0) << Architecture.str();
    // Both halves of the address of the store; M beside N, In beside N.
    EXPECT_EQ(B.count(InstClass::Mov), 5) << Architecture.str();
  }
}

TEST(AssemblerRules, OnlyOneArchitectureWasChecked) {
  EXPECT_TRUE(areRulesChecked("sm_90"));
  EXPECT_TRUE(areRulesChecked("sm_90a"));
  for (const char *Architecture : {"sm_52", "sm_80", "sm_100", ""})
    EXPECT_FALSE(areRulesChecked(Architecture)) << Architecture;
}

TEST(Uniformity, BlockIndicesAreSharedThreadIndicesAreNot) {
  Builder B;
  B.block();
  uint32_t Block = B.sreg(SpecialReg::CtaIdX);
  uint32_t Thread = B.sreg(SpecialReg::TidX);
  uint32_t Twice =
      B.op(Semantics::Add, {Operand::value(Block), Operand::value(Block)});
  uint32_t Both =
      B.op(Semantics::Add, {Operand::value(Block), Operand::value(Thread)});
  std::vector<bool> Uniform = uniformOperations(B.Facts);
  EXPECT_TRUE(Uniform[Twice]);
  EXPECT_FALSE(Uniform[Both]);
}

TEST(ShareDivisors, FullDivisionsByOneNumberHaveOneReciprocal) {
  Builder B;
  B.block();
  uint32_t First = B.op(Semantics::Load, {}),
           Second = B.op(Semantics::Load, {});
  auto Divide = [&](uint32_t Divisor) {
    const uint32_t Op = B.op(Semantics::Opaque,
                             {Operand::value(First), Operand::value(Divisor)});
    B.Facts.Operations[Op].Opcode = "FDIV32rr";
    B.Facts.Operations[Op].Emits = {{InstClass::FSetp, 2, 1},
                                    {InstClass::FMul, 5, 3},
                                    {InstClass::MufuRcp, 1, 1}};
  };
  for (unsigned I = 0; I != 4; ++I)
    Divide(Second);
  Divide(First);
  shareDivisorsLikePtxas(B.Facts);
  EXPECT_EQ(B.count(InstClass::MufuRcp), 2);
  EXPECT_EQ(B.count(InstClass::FSetp), 4);
  EXPECT_EQ(B.count(InstClass::FMul), 5 * 5 - 3 * 2);
}
