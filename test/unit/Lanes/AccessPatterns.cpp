//===- AccessPatterns.cpp - Sectors, lines and wavefronts -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>
#include <memory>

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

AccessProfile onlyAccess(FactsBuilder &B, const Launch &L, unsigned Index = 0,
                         const MemoryGeometry &G = MemoryGeometry()) {
  return profileLanes(B.finish(), L, G, LanesOptions()).Accesses[Index];
}

const Dim3 Line{256, 1, 1};

TEST(GlobalSectors, ConsecutiveFloatsTakeFour) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4);
  AccessProfile P = onlyAccess(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.SectorsPerRequest, 4);
  EXPECT_EQ(P.IdealSectorsPerRequest, 4);
  EXPECT_EQ(P.LinesPerRequest, 1);
  EXPECT_EQ(P.Exact, Exactness::Exact);
  EXPECT_EQ(P.ExecutionsPerWarp, 1);
  ASSERT_TRUE(P.LaneStrideBytes);
  EXPECT_EQ(*P.LaneStrideBytes, 4);
  EXPECT_EQ(P.Pattern, "lanes 0..31 touch 4 sectors, 4 B apart");
}

TEST(GlobalSectors, ElementWidthsOneEightSixteen) {
  for (auto [Bytes, Sectors] : {std::pair{1u, 1.0}, {8u, 8.0}, {16u, 16.0}}) {
    FactsBuilder B;
    Operand A = B.pointer("a");
    B.load(MemorySpace::Global, B.element(A, B.globalX(), Bytes), Bytes);
    AccessProfile P = onlyAccess(B, launch({64, 1, 1}, Line));
    EXPECT_EQ(P.SectorsPerRequest, Sectors);
    EXPECT_EQ(P.IdealSectorsPerRequest, Sectors);
  }
}

TEST(GlobalSectors, ConstantStrideOf128Bytes) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global, B.element(A, B.globalX(), 128), 4);
  AccessProfile P = onlyAccess(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.SectorsPerRequest, 32);
  EXPECT_EQ(P.IdealSectorsPerRequest, 4);
  EXPECT_EQ(P.LinesPerRequest, 32);
  EXPECT_EQ(P.Pattern, "lanes 0..31 touch 32 sectors, 128 B apart");
}

TEST(GlobalSectors, MisalignedByOneElementTakesFive) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4, 4);
  AccessProfile P = onlyAccess(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.SectorsPerRequest, 5);
  EXPECT_EQ(P.IdealSectorsPerRequest, 4);
  EXPECT_EQ(P.LinesPerRequest, 2);
}

TEST(GlobalSectors, BroadcastNeedsOne) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global, B.element(A, B.sreg(SpecialReg::CtaIdX), 4), 4);
  AccessProfile P = onlyAccess(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.SectorsPerRequest, 1);
  EXPECT_EQ(P.IdealSectorsPerRequest, 1);
  EXPECT_EQ(P.LanesPerAddress, 32);
  EXPECT_EQ(P.Exact, Exactness::Exact);
}

TEST(GlobalSectors, RowMajorInSixteenWideBlocks) {
  // a[y * 1024 + x] with 16x16 threads: a warp holds two rows.
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global,
         B.element(A, B.mad(B.globalY(), B.imm(1024), B.globalX()), 4), 4);
  AccessProfile P = onlyAccess(B, launch({64, 64, 1}, {16, 16, 1}));
  EXPECT_EQ(P.SectorsPerRequest, 4);
  EXPECT_EQ(P.LinesPerRequest, 2);
  EXPECT_EQ(P.Exact, Exactness::Exact);
  EXPECT_EQ(P.Pattern, "lanes 0..31 touch 4 sectors, rows of 16 lanes 4 B "
                       "apart, rows 4096 B apart");
}

TEST(GlobalSectors, ColumnMajorInEightWideBlocks) {
  // a[x * 1024 + y] with 8x8 threads: four y's share a sector.
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global,
         B.element(A, B.mad(B.globalX(), B.imm(1024), B.globalY()), 4), 4);
  AccessProfile P = onlyAccess(B, launch({128, 128, 1}, {8, 8, 1}));
  EXPECT_EQ(P.SectorsPerRequest, 8);
}

TEST(GlobalSectors, OddBlockShapeOf33By3) {
  // 99 threads: warps of 32, 32, 32 and 3 lanes; a[y * 33 + x] is consecutive.
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global,
         B.element(A, B.mad(B.tidY(), B.imm(33), B.tidX()), 4), 4);
  AccessProfile P = onlyAccess(B, launch({1, 1, 1}, {33, 3, 1}));
  EXPECT_DOUBLE_EQ(P.SectorsPerRequest, (4 + 4 + 4 + 1) / 4.0);
  EXPECT_DOUBLE_EQ(P.ActiveLanes, 99 / 4.0);
}

TEST(GlobalSectors, ArrayOfStructsAgainstStructOfArrays) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand I = B.globalX();
  B.load(MemorySpace::Global, B.element(A, I, 24), 8, 8);
  AccessProfile P = onlyAccess(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.SectorsPerRequest, 24);
  EXPECT_EQ(P.IdealSectorsPerRequest, 8);
}

TEST(GlobalSectors, RuntimeStrideIsKnownWithTheArgument) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand N = B.integer("n");
  B.load(MemorySpace::Global, B.element(A, B.mul(B.globalX(), N), 4), 4);
  Launch L = launch({64, 1, 1}, Line);
  setArgument(L, 1, 2);
  AccessProfile P = onlyAccess(B, L);
  EXPECT_EQ(P.SectorsPerRequest, 8);
  EXPECT_EQ(P.Exact, Exactness::Exact);
}

TEST(GlobalSectors, StrideInAStructIsKnownWithItsBytes) {
  // a[i * box.second], where box has three members of 4 bytes.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Second = B.integer("box");
  B.Facts.Parameters.back().SizeBytes = 12;
  B.Facts.Operations.back().Imm += 4;
  B.load(MemorySpace::Global, B.element(A, B.mul(B.globalX(), Second), 4), 4);
  Launch L = launch({64, 1, 1}, Line);
  L.StructBytes[1] = {"ffffffff02000000ffffffff", "test"};
  AccessProfile P = onlyAccess(B, L);
  EXPECT_EQ(P.SectorsPerRequest, 8);
  EXPECT_EQ(P.Exact, Exactness::Exact);
}

TEST(GlobalSectors, RuntimeStrideIsAssumedWithoutTheArgument) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand N = B.integer("n");
  B.load(MemorySpace::Global, B.element(A, B.mul(B.globalX(), N), 4), 4);
  ExecutionProfile P = profileLanes(B.finish(), launch({64, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 4);
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Assumed);
  ASSERT_EQ(P.Assumptions.size(), 1u);
  EXPECT_EQ(P.Assumptions[0].What, "argument n");
  EXPECT_EQ(P.Accesses[0].Reason, "assumes argument n = 1");
}

TEST(GlobalSectors, UnknownRowOffsetCancelsWhenAligned) {
  // a[n * 8 + tid]: whatever n is, the row starts at a sector but not at a
  // line, so there are one or two lines.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand N = B.integer("n");
  Operand Row = B.mul(N, B.imm(8));
  B.load(MemorySpace::Global, B.element(A, B.add(Row, B.tidX()), 4), 4);
  EXPECT_EQ(onlyAccess(B, launch({64, 1, 1}, Line)).Exact, Exactness::Range);

  FactsBuilder C;
  A = C.pointer("a");
  N = C.integer("n");
  Row = C.mul(N, C.imm(32));
  C.load(MemorySpace::Global, C.element(A, C.add(Row, C.tidX()), 4), 4);
  AccessProfile P = onlyAccess(C, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.Exact, Exactness::Exact);
  EXPECT_EQ(P.SectorsPerRequest, 4);
}

TEST(GlobalSectors, UnknownRowOffsetBoundsTheSectors) {
  // a[n + tid]: four sectors if the row starts at one, else five.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand I = B.mad(B.integer("n"), B.integer("m"), B.tidX());
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  AccessProfile P = onlyAccess(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.Exact, Exactness::Range);
  EXPECT_NE(P.Reason.find("argument n"), std::string::npos) << P.Reason;
  EXPECT_NE(P.Reason.find("4 to 5 sectors"), std::string::npos) << P.Reason;
}

TEST(GlobalSectors, UnknownStrideIsAssumed) {
  // a[n * tid]: any number from 1 to 32.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand I = B.mul(B.integer("n"), B.tidX());
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  EXPECT_EQ(onlyAccess(B, launch({64, 1, 1}, Line)).Exact, Exactness::Assumed);
}

TEST(GlobalSectors, SwizzlesByDivModXor) {
  // a[(t / 8) * 64 + (t % 8 ^ t / 8 % 8)]: four rows of eight lanes.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  Operand Row = B.op(Semantics::DivU, 32, {T, B.imm(8)});
  Operand Column = B.op(Semantics::RemU, 32, {T, B.imm(8)});
  Operand Turn = B.op(Semantics::RemU, 32, {Row, B.imm(8)});
  Operand Mixed = B.op(Semantics::Xor, 32, {Column, Turn});
  B.load(MemorySpace::Global, B.element(A, B.mad(Row, B.imm(64), Mixed), 4), 4);
  AccessProfile P = onlyAccess(B, launch({1, 1, 1}, Line));
  EXPECT_EQ(P.SectorsPerRequest, 4);
  EXPECT_EQ(P.LinesPerRequest, 4);
  EXPECT_EQ(P.Exact, Exactness::Exact);
}

TEST(GlobalSectors, ClampedHalo) {
  // a[max(i - 1, 0)] in one block: the first warp starts at the edge.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand I = B.op(Semantics::MaxS, 32, {B.add(B.tidX(), B.imm(-1)), B.imm(0)});
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  AccessProfile P = onlyAccess(B, launch({1, 1, 1}, Line));
  EXPECT_DOUBLE_EQ(P.SectorsPerRequest, (4 + 7 * 5) / 8.0);
}

TEST(GlobalSectors, ShuffledIndex) {
  // Lane l reads the element of lane l ^ 16.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operation O;
  Operand I = B.op(Semantics::Shuffle, 32, {B.tidX(), B.imm(16), B.imm(31)});
  B.Facts.Operations[I.Index].Shuffle = ShuffleKind::Bfly;
  B.load(MemorySpace::Global, B.element(A, I, 8), 4);
  AccessProfile P = onlyAccess(B, launch({1, 1, 1}, Line));
  EXPECT_EQ(P.SectorsPerRequest, 8);
  EXPECT_EQ(P.Exact, Exactness::Exact);
}

TEST(GlobalSectors, GatherSaysThatDataDecides) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Index = B.pointer("index");
  Operand I = B.load(MemorySpace::Global, B.element(Index, B.globalX(), 4), 4);
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  Launch L = launch({4096, 1, 1}, Line);
  ExecutionProfile P =
      profileLanes(B.finish(), L, MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact);
  EXPECT_EQ(P.Accesses[1].Exact, Exactness::DataDependent);
  EXPECT_GT(P.Accesses[1].SectorsPerRequest, 28);
  EXPECT_EQ(P.Accesses[1].Reason,
            "depends on loaded data; index loaded with 4 sectors per request "
            "(ideal 4)");
}

TEST(GlobalSectors, LoadedRowPointerKeepsLanesTogether) {
  // rows[blockIdx.x][tid]: the pointer is loaded but the same in all lanes.
  FactsBuilder B;
  Operand Rows = B.pointer("rows");
  Operand Row = B.load(MemorySpace::Global,
                       B.element(Rows, B.sreg(SpecialReg::CtaIdX), 8), 8);
  B.load(MemorySpace::Global, B.element(Row, B.tidX(), 4), 4);
  AccessProfile P = onlyAccess(B, launch({64, 1, 1}, Line), 1);
  EXPECT_EQ(P.SectorsPerRequest, 4);
  EXPECT_EQ(P.Exact, Exactness::DataDependent);
}

TEST(GlobalSectors, MisalignedPointerArgument) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4);
  Launch L = launch({64, 1, 1}, Line);
  L.PointerAlignment[0] = {4, "test"};
  EXPECT_EQ(onlyAccess(B, L).SectorsPerRequest, 5);
}

/// Wavefronts of a warp whose lanes load \p Bytes each, \p Apart bytes apart.
double wavefronts(const MemoryGeometry &G, unsigned Bytes, uint64_t Apart) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global, B.element(A, B.tidX(), Apart), Bytes);
  return onlyAccess(B, launch({1, 1, 1}, {32, 1, 1}), 0, G)
      .WavefrontsPerRequest;
}

MemoryGeometry h200() {
  MemoryGeometry G;
  G.TagBankMasks = {0b10111101101111, 0b11101010110101};
  return G;
}

std::unique_ptr<llvm::MemoryBuffer> recorded(llvm::StringRef Name) {
  auto File = llvm::MemoryBuffer::getFile(
      GPUOCC_SOURCE_DIR "/calibration/results/nvidia-h200/" + Name);
  return File ? std::move(*File) : nullptr;
}

TEST(GlobalWavefronts, StridesCostWhatAnH200Takes) {
  std::unique_ptr<llvm::MemoryBuffer> File =
      recorded("2026-11-21T1605/second-run.json");
  ASSERT_TRUE(File);
  llvm::Expected<llvm::json::Value> Run = llvm::json::parse(File->getBuffer());
  ASSERT_TRUE(bool(Run));
  const llvm::json::Array *Rows = Run->getAsObject()
                                      ->getObject("tables")
                                      ->getObject("l1_strides")
                                      ->getArray("rows");
  unsigned Count = 0;
  for (const llvm::json::Value &Row : *Rows) {
    auto Number = [&](size_t I) {
      return *(*Row.getAsArray())[I].getAsNumber();
    };
    const unsigned Bytes = unsigned(Number(0)), Stride = unsigned(Number(1));
    EXPECT_NEAR(wavefronts(h200(), Bytes, uint64_t(Stride) * Bytes) / Number(2),
                1, 0.01)
        << Stride << " x " << Bytes;
    ++Count;
  }
  EXPECT_GT(Count, 70u);
}

TEST(GlobalWavefronts, LinesOfOneTagBankTakeTurns) {
  // 32 lanes on lines and data banks of their own, any number of lines apart,
  // as an H200 takes them.
  std::unique_ptr<llvm::MemoryBuffer> File =
      recorded("2026-11-21T1820/tag-banks.csv");
  ASSERT_TRUE(File);
  double Off = 0, OffUniform = 0;
  unsigned Count = 0;
  for (llvm::line_iterator Row(*File, /*SkipBlanks=*/true, '#');
       !Row.is_at_eof(); ++Row) {
    auto [First, Second] = Row->split(',');
    uint64_t Lines;
    double Cycles;
    if (First.getAsInteger(10, Lines) || Second.getAsDouble(Cycles))
      continue;
    const uint64_t Apart = Lines * 128 + 4;
    Off += std::abs(wavefronts(h200(), 4, Apart) - Cycles);
    OffUniform += std::abs(wavefronts(MemoryGeometry(), 4, Apart) - Cycles);
    ++Count;
  }
  EXPECT_EQ(Count, 300u);
  EXPECT_LT(Off / Count, 0.3);
  EXPECT_GT(OffUniform / Count, 1.5);
}

TEST(SharedWavefronts, ColumnOfATileConflictsUnlessPadded) {
  for (auto [Width, Degree] : {std::pair{32, 32.0}, {33, 1.0}, {34, 2.0}}) {
    FactsBuilder B;
    Operand Tile = B.shared("tile", 32 * 34 * 4);
    B.load(MemorySpace::Shared,
           B.element(Tile, B.mad(B.tidX(), B.imm(Width), B.tidY()), 4), 4);
    AccessProfile P = onlyAccess(B, launch({64, 64, 1}, {32, 8, 1}));
    EXPECT_EQ(P.WavefrontsPerRequest, Degree) << Width;
    EXPECT_EQ(P.IdealWavefrontsPerRequest, 1);
    EXPECT_EQ(P.Exact, Exactness::Exact);
  }
}

TEST(SharedWavefronts, BroadcastAndMulticastAreFree) {
  FactsBuilder B;
  Operand Tile = B.shared("tile", 4096);
  B.load(MemorySpace::Shared, B.element(Tile, B.tidY(), 4), 4);
  Operand Half = B.op(Semantics::ShrU, 32, {B.tidX(), B.imm(1)});
  B.load(MemorySpace::Shared, B.element(Tile, Half, 4), 4);
  ExecutionProfile P = profileLanes(B.finish(), launch({64, 1, 1}, {32, 8, 1}),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].WavefrontsPerRequest, 1);
  EXPECT_EQ(P.Accesses[1].WavefrontsPerRequest, 1);
}

TEST(SharedWavefronts, WideAccessesAreServedInParts) {
  for (auto [Bytes, Wavefronts] : {std::pair{8u, 2.0}, {16u, 4.0}}) {
    FactsBuilder B;
    Operand Tile = B.shared("tile", 4096);
    B.load(MemorySpace::Shared, B.element(Tile, B.tidX(), Bytes), Bytes);
    AccessProfile P = onlyAccess(B, launch({1, 1, 1}, Line));
    EXPECT_EQ(P.WavefrontsPerRequest, Wavefronts);
    EXPECT_EQ(P.IdealWavefrontsPerRequest, Wavefronts);
  }
}

TEST(SharedWavefronts, TwoRowsOfFloat4ByHalfWarpsTakeTwo) {
  // Measured: a float4 broadcast within each of two 16-lane rows (cuda-samples
  // globalToShmemAsyncCopy, line 154) takes 2 wavefronts.
  FactsBuilder B;
  Operand Tile = B.shared("tile", 4096);
  B.load(MemorySpace::Shared, B.element(Tile, B.tidY(), 64), 16);
  AccessProfile P = onlyAccess(B, launch({1, 1, 1}, {16, 16, 1}));
  EXPECT_EQ(P.WavefrontsPerRequest, 2);
  EXPECT_EQ(P.IdealWavefrontsPerRequest, 2);
}

TEST(SharedWavefronts, ArraysBehindEachOtherKeepTheirOffset) {
  // b lies 16 bytes behind a: the lane pattern is shifted, not the degree.
  FactsBuilder B;
  B.shared("a", 16);
  Operand Second = B.shared("b", 4096, 16);
  B.load(MemorySpace::Shared, B.element(Second, B.tidX(), 8), 4);
  EXPECT_EQ(onlyAccess(B, launch({1, 1, 1}, Line)).WavefrontsPerRequest, 2);
}

TEST(LocalMemory, LoadedIndexStaysInTheArray) {
  // 16 bytes per lane are 4 lines of a warp, whatever byte is loaded.
  FactsBuilder B;
  Operand Index = B.load(MemorySpace::Global,
                         B.element(B.pointer("in"), B.globalX(), 1), 1);
  Operand Array = B.symbol("counts", MemorySpace::Local, 16);
  B.store(MemorySpace::Local, B.element(Array, Index, 1), 1);
  ExecutionProfile P = profileLanes(B.finish(), launch({64, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_LE(P.Accesses[1].SectorsPerRequest, 16);
  EXPECT_GT(P.Accesses[1].SectorsPerRequest, 8);
}

TEST(LocalMemory, UniformIndexIsCoalesced) {
  FactsBuilder B;
  Operand Array = B.symbol("array", MemorySpace::Local, 256);
  B.load(MemorySpace::Local, B.element(Array, B.sreg(SpecialReg::CtaIdX), 4),
         4);
  Operand Lane = B.op(Semantics::And, 32, {B.tidX(), B.imm(7)});
  B.load(MemorySpace::Local, B.element(Array, Lane, 4), 4);
  B.load(MemorySpace::Local, B.element(Array, B.imm(2), 8), 8);
  ExecutionProfile P = profileLanes(B.finish(), launch({8, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 4);
  // Lane l reads word l & 7 of its own: eight lines, four lanes on each, in
  // four different sectors.
  EXPECT_EQ(P.Accesses[1].SectorsPerRequest, 32);
  EXPECT_EQ(P.Accesses[2].SectorsPerRequest, 8);
}

TEST(Atomics, OneAddressOrMany) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.atomic(MemorySpace::Global, A, 4);
  B.atomic(MemorySpace::Global, B.element(A, B.globalX(), 4), 4);
  ExecutionProfile P = profileLanes(B.finish(), launch({8, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].DistinctAddressesPerRequest, 1);
  EXPECT_EQ(P.Accesses[0].LanesPerAddress, 32);
  EXPECT_EQ(P.Accesses[1].DistinctAddressesPerRequest, 32);
  EXPECT_EQ(P.Accesses[1].LanesPerAddress, 1);
}

TEST(ConstantMemory, LanesThatDifferAreServedInTurn) {
  FactsBuilder B;
  Operand Table = B.symbol("table", MemorySpace::Constant, 4096);
  B.load(MemorySpace::Constant, B.element(Table, B.imm(3), 4), 4);
  Operand Group = B.op(Semantics::DivU, 32, {B.tidX(), B.imm(8)});
  B.load(MemorySpace::Constant, B.element(Table, Group, 4), 4);
  ExecutionProfile P = profileLanes(B.finish(), launch({8, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].DistinctAddressesPerRequest, 1);
  EXPECT_EQ(P.Accesses[1].DistinctAddressesPerRequest, 4);
  EXPECT_EQ(P.Accesses[1].WavefrontsPerRequest, 4);
}

TEST(AsyncCopy, SectorsFromGlobalWavefrontsFromShared) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Tile = B.shared("tile", 4096);
  Operand T = B.tidX();
  Operand Copy = B.load(MemorySpace::Global, B.element(A, T, 4), 4);
  MemoryAccess &M = B.Facts.Accesses[0];
  M.Kind = AccessKind::AsyncCopy;
  M.SharedBase = B.element(Tile, T, 8);
  // The shared address is computed before the copy.
  std::swap(B.Facts.Operations[Copy.Index],
            B.Facts.Operations[M.SharedBase.Index]);
  uint32_t CopyOp = M.SharedBase.Index;
  M.SharedBase.Index = Copy.Index;
  M.Op = CopyOp;
  ExecutionProfile P = profileLanes(B.finish(), launch({1, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 4);
  EXPECT_EQ(P.Accesses[0].WavefrontsPerRequest, 2);
}

} // namespace
