//===- Reuse.cpp - Hits in L1 and L2, footprints --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Lanes/FactsBuilder.h"
#include "gpuocc/Caches/EstimateCaches.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <optional>

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

/// An H200.
MemoryGeometry h200() {
  MemoryGeometry G;
  G.L1Bytes = 256 << 10;
  G.L2Bytes = 60 << 20;
  G.L2Partitions = 2;
  G.SmCount = 132;
  G.ResidentBlocksPerSm = 8;
  return G;
}

ExecutionProfile profile(FactsBuilder &B, const Launch &L,
                         const MemoryGeometry &G = h200()) {
  return profileLaunch(B.finish(), L, G, LanesOptions());
}

TEST(Reuse, CopyTouchesEachByteOnce) {
  FactsBuilder B;
  Operand Out = B.pointer("out"), In = B.pointer("in");
  Operand I = B.globalX();
  B.load(MemorySpace::Global, B.element(In, I, 4), 4);
  B.store(MemorySpace::Global, B.element(Out, I, 4), 4);
  ExecutionProfile P = profile(B, launch({131072, 1, 1}, {256, 1, 1}));
  EXPECT_EQ(P.Accesses[0].L1HitFraction, 0);
  EXPECT_NEAR(P.Accesses[0].L2HitFraction, 0, 1e-6);
  ASSERT_TRUE(P.FootprintReadBytes);
  EXPECT_EQ(*P.FootprintReadBytes, 131072.0 * 1024);
  EXPECT_EQ(*P.FootprintWrittenBytes, 131072.0 * 1024);
  // A third of L2 is still there at the end: measured 114.0 to 118.6 MB of
  // 134.2 MB.
  EXPECT_NEAR(P.Accesses[1].L2HitFraction, 30 / 1.4 / 128, 1e-3);
}

TEST(Reuse, L1AloneSaysWhatGoesOnToL2) {
  // a[i] and a[i + 1], of which most sectors are in L1 the second time.
  FactsBuilder B;
  Operand In = B.pointer("in");
  Operand I = B.globalX();
  B.load(MemorySpace::Global, B.element(In, I, 4), 4);
  B.load(MemorySpace::Global, B.element(In, I, 4), 4, 4);
  const KernelFacts Facts = B.finish();
  const Launch L = launch({1024, 1, 1}, {256, 1, 1});
  const ExecutionProfile All = profileLaunch(Facts, L, h200(), LanesOptions());
  const ExecutionProfile OfL1 =
      profileLaunch(Facts, L, h200(), LanesOptions(), CacheLevels::L1);
  EXPECT_GT(OfL1.Accesses[1].L1HitFraction, 0.5);
  for (size_t A = 0; A != Facts.Accesses.size(); ++A) {
    EXPECT_EQ(OfL1.Accesses[A].L1HitFraction, All.Accesses[A].L1HitFraction);
    EXPECT_EQ(OfL1.Accesses[A].RequestsPerWarp,
              All.Accesses[A].RequestsPerWarp);
  }
  EXPECT_TRUE(All.FootprintReadBytes);
  EXPECT_FALSE(OfL1.FootprintReadBytes);
}

TEST(Reuse, WarpsInStepWaitForTheSameSectors) {
  // in[0] and in[8], of one line, for all warps of a block: the first one asks
  // for both before the others come, and they wait for both.
  FactsBuilder B;
  Operand In = B.pointer("in");
  B.load(MemorySpace::Global, In, 4);
  B.load(MemorySpace::Global, In, 4, 32);
  ExecutionProfile P = profile(B, launch({132, 1, 1}, {256, 1, 1}));
  for (size_t A : {0, 1}) {
    EXPECT_EQ(P.Accesses[A].L1HitFraction, 7.0 / 8);
    EXPECT_EQ(P.Accesses[A].L1WaitFraction, 1);
  }
}

TEST(Reuse, WarpsThatLoadMoreWaitNoMore) {
  // for (k = 0; k < (tid < 32 ? 16 : 1); ++k) in[tid]: every warp waits once.
  FactsBuilder B;
  const Operand In = B.pointer("in"), Tid = B.tidX();
  const Operand IsFirst = B.compare(ComparePredicate::LTS, Tid, B.imm(32));
  const Operand Turns =
      B.op(Semantics::Select, 32, {B.imm(16), B.imm(1), IsFirst});
  B.loop(B.imm(0), Turns, B.imm(1), [&](Operand) {
    B.load(MemorySpace::Global, B.element(In, Tid, 4), 4);
  });
  const ExecutionProfile P = profile(B, launch({1, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].L1WaitFraction, 8.0 / 23, 1e-6);
  ASSERT_GE(P.Accesses[0].L1WaitsByRequest.size(), 4u);
  EXPECT_EQ(P.Accesses[0].L1WaitsByRequest[0], 1);
  EXPECT_EQ(P.Accesses[0].L1WaitsByRequest[1], 0);
}

TEST(Reuse, LaterBlocksDoNotWaitForWhatIsThere) {
  // One word for all threads of ten waves, of which the first waits.
  FactsBuilder B;
  B.load(MemorySpace::Global, B.pointer("in"), 4);
  ExecutionProfile P = profile(B, launch({132 * 8 * 10, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].L1WaitFraction, 0.1, 0.01);
}

TEST(Reuse, LoadsAreToldWhoBringsTheirSector) {
  // in[0] and in[1], and in[8] of another sector, by one warp.
  FactsBuilder B;
  Operand In = B.pointer("in");
  for (int64_t Offset : {0, 4, 32})
    B.load(MemorySpace::Global, In, 4, Offset);
  ExecutionProfile P = profile(B, launch({1, 1, 1}, {32, 1, 1}));
  EXPECT_EQ(P.Accesses[1].AwaitsOtherFraction, 1);
  EXPECT_EQ(P.Accesses[1].AwaitedAccess, 0u);
  for (size_t Own : {0, 2}) {
    EXPECT_EQ(P.Accesses[Own].L1WaitFraction, 1);
    EXPECT_EQ(P.Accesses[Own].AwaitsOtherFraction, 0);
    EXPECT_EQ(P.Accesses[Own].AwaitedAccess, NoIndex);
  }
}

TEST(Reuse, GuardsThatKeepCornersOutLeaveTheFootprint) {
  // if (4 <= blockIdx.y && blockIdx.y < 96) a[blockIdx.y * 1024 + i], whose
  // blocks at the corners of the grid load nothing.
  FactsBuilder B;
  Operand In = B.pointer("in");
  Operand Y = B.sreg(SpecialReg::CtaIdY);
  Operand Inside = B.op(Semantics::And, 1,
                        {B.compare(ComparePredicate::GES, Y, B.imm(4)),
                         B.compare(ComparePredicate::LTS, Y, B.imm(96))});
  B.when(Inside, [&] {
    B.load(MemorySpace::Global,
           B.element(In, B.mad(Y, B.imm(1024), B.globalX()), 4), 4);
  });
  ExecutionProfile P = profile(B, launch({4, 100, 1}, {256, 1, 1}));
  EXPECT_EQ(*P.FootprintReadBytes, 92.0 * 1024 * 4);
}

/// Fraction of the sectors that K stores to records of S floats, one after the
/// other, pass on together.
double mergedOf(unsigned Stores, unsigned Stride) {
  FactsBuilder B;
  Operand Record =
      B.element(B.pointer("out"), B.globalX(), int64_t(Stride) * 4);
  for (unsigned K = 0; K < Stores; ++K)
    B.store(MemorySpace::Global, Record, 4, K * 4);
  ExecutionProfile P = profile(B, launch({1024, 1, 1}, {256, 1, 1}));
  double Merged = 0;
  for (const AccessProfile &A : P.Accesses)
    Merged += A.MergedStoreFraction / Stores;
  return Merged;
}

TEST(Reuse, StoresToAFewLinesLeaveTogether) {
  // Measured with 1024 blocks of 256: of 16, 36, 64 and 128 sectors 8.2, 13.2,
  // 28.3 and 122 arrive at L2.
  EXPECT_NEAR(mergedOf(2, 2), 1 - 8.2 / 16, 0.05);
  EXPECT_NEAR(mergedOf(3, 3), 1 - 13.2 / 36, 0.05);
  EXPECT_NEAR(mergedOf(4, 4), 1 - 28.3 / 64, 0.2);
  EXPECT_NEAR(mergedOf(4, 8), 1 - 122.0 / 128, 0.05);
}

TEST(Reuse, StoresBehindLoadsLeaveTogether) {
  // Records of 7 floats, three of which are loaded, changed and stored: of 84
  // sectors a warp, 48 leave L1 of an H200 (docs/examples/aos_soa.cu).
  FactsBuilder B;
  Operand Record = B.element(B.pointer("records"), B.globalX(), 28);
  B.load(MemorySpace::Global, Record, 4, 12);
  for (unsigned K = 0; K < 3; ++K)
    B.store(MemorySpace::Global, Record, 4, K * 4);
  ExecutionProfile P = profile(B, launch({1024, 1, 1}, {256, 1, 1}));
  double Merged = 0;
  for (const AccessProfile &A : llvm::drop_begin(P.Accesses))
    Merged += A.MergedStoreFraction / 3;
  EXPECT_NEAR(Merged, 1 - 48.0 / 84, 0.05);
}

/// Sectors that a block of X times Y threads stores to, and that leave L1,
/// where the X lanes lie in rows of their own that Y fills up.
double sectorsOfBlock(unsigned X, unsigned Y) {
  FactsBuilder B;
  B.store(MemorySpace::Global,
          B.element(B.pointer("out"),
                    B.mad(B.globalX(), B.imm(4128), B.globalY()), 4),
          4);
  ExecutionProfile P = profile(B, launch({4096 / X, 4096 / Y, 1}, {X, Y, 1}));
  const AccessProfile &A = P.Accesses[0];
  return X * Y / 32 * A.SectorsPerRequest * (1 - A.MergedStoreFraction);
}

TEST(Reuse, StoresOfWarpsToAFewLinesLeaveTogether) {
  // Measured on an H100: 32.5, 96 to 115, 93 to 209 and 256.
  EXPECT_NEAR(sectorsOfBlock(8, 32), 32.5, 1);
  EXPECT_NEAR(sectorsOfBlock(16, 16), 96, 20);
  EXPECT_NEAR(sectorsOfBlock(16, 32), 160, 40);
  EXPECT_NEAR(sectorsOfBlock(32, 8), 256, 1);
}

TEST(Reuse, WholeSectorsOfWarpsDoNotMeet) {
  EXPECT_NEAR(sectorsOfBlock(4, 64), 32, 1e-6);
}

TEST(Reuse, RowAboveIsFoundByTheBlock) {
  // a[y][x] and a[y - 1][x] in 32x8 threads: 7 of 8 rows are there. Measured
  // on fdtd2d: 29.19 % of three such loads, 7/8 / 3.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Address =
      B.element(A, B.mad(B.globalY(), B.imm(4096), B.globalX()), 4);
  B.load(MemorySpace::Global, Address, 4);
  B.load(MemorySpace::Global, Address, 4, -4096 * 4);
  ExecutionProfile P = profile(B, launch({128, 512, 1}, {32, 8, 1}));
  double Hits = P.Accesses[0].L1HitFraction + P.Accesses[1].L1HitFraction;
  EXPECT_NEAR(Hits, 7.0 / 8, 0.01);
  EXPECT_NE((P.Accesses[0].ReuseReason + P.Accesses[1].ReuseReason)
                .find("other warps of the block"),
            std::string::npos);
}

TEST(Reuse, WalkAlongARowFindsTheSectorAgain) {
  // a[i * 4096 + j] with a row per thread: 8 floats of a sector in a row.
  auto Build = [](FactsBuilder &B) {
    Operand A = B.pointer("a");
    Operand Row = B.mul(B.globalX(), B.imm(4096));
    B.loop(B.imm(0), B.imm(4096), B.imm(1), [&](Operand J) {
      B.load(MemorySpace::Global, B.element(A, B.add(Row, J), 4), 4);
    });
  };
  Launch L = launch({16, 1, 1}, {256, 1, 1});
  FactsBuilder B;
  Build(B);
  ExecutionProfile P = profile(B, L);
  EXPECT_NEAR(P.Accesses[0].L1HitFraction, 7.0 / 8, 0.02);
  EXPECT_NE(P.Accesses[0].ReuseReason.find("the warp itself"),
            std::string::npos);
  // 256 rows of lines do not fit in 16 KiB.
  FactsBuilder C;
  Build(C);
  MemoryGeometry Small = h200();
  Small.L1Bytes = 16 << 10;
  EXPECT_NEAR(profile(C, L, Small).Accesses[0].L1HitFraction, 0, 0.02);
}

/// Hits of a[step * j] and a[4095 - j], which meet in the middle of their loop
/// if the step is 1.
std::array<double, 2> hitsOfMeeting(int64_t Step) {
  FactsBuilder B;
  Operand In = B.pointer("in");
  B.loop(B.imm(0), B.imm(4096), B.imm(1), [&](Operand J) {
    B.load(MemorySpace::Global, B.element(In, B.mul(J, B.imm(Step)), 4), 4);
    B.load(MemorySpace::Global,
           B.element(In, B.op(Semantics::Sub, 32, {B.imm(4095), J}), 4), 4);
  });
  ExecutionProfile P = profile(B, launch({132, 1, 1}, {32, 1, 1}));
  return {P.Accesses[0].L1HitFraction, P.Accesses[1].L1HitFraction};
}

TEST(Reuse, WhatComesLateInALoopFindsWhatCameEarly) {
  // Of a walk along a row, each eighth request needs another sector, and behind
  // the middle of the loop the other walk has brought it.
  for (double Hits : hitsOfMeeting(1))
    EXPECT_NEAR(Hits, 1 - 0.5 / 8, 0.01);
  // Rows 64 floats apart are beyond the other walk after a 64th of the loop,
  // and what lies between them is not brought.
  const auto [OfRows, Back] = hitsOfMeeting(64);
  EXPECT_NEAR(OfRows, 0, 0.02);
  EXPECT_NEAR(Back, 1 - 1.0 / 8, 0.02);
}

TEST(Reuse, LoadsOfSharedMemoryLeaveTheNextTurnItsSector) {
  // The turn that fetches a sector waits for it; the seven behind it do not,
  // however much each loads from shared memory beside.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Row = B.mul(B.globalX(), B.imm(4096));
  B.loop(B.imm(0), B.imm(4096), B.imm(1), [&](Operand J) {
    B.load(MemorySpace::Global, B.element(A, B.add(Row, J), 4), 4);
    for (int I = 0; I < 4; ++I)
      B.load(MemorySpace::Shared, B.mul(J, B.imm(4)), 4, 4 * I);
  });
  const ExecutionProfile P = profile(B, launch({16, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].L1WaitFraction, 1.0 / 8, 0.02);
}

TEST(Reuse, FencesOfTheGpuEmptyL1) {
  // Loads the same element 64 times, in each turn of a loop.
  auto HitsBehind = [](std::optional<InstClass> Fence, MemorySpace Space) {
    FactsBuilder B;
    Operand Address = B.element(B.pointer("in"), B.globalX(), 4);
    B.loop(B.imm(0), B.imm(64), B.imm(1), [&](Operand) {
      B.load(Space, Address, 4);
      const Operand Between = B.opaque({});
      if (Fence)
        B.Facts.Operations[Between.Index].Emits.push_back({*Fence, 1, 1});
    });
    return profile(B, launch({132, 1, 1}, {32, 1, 1}))
        .Accesses[0]
        .L1HitFraction;
  };
  EXPECT_GT(HitsBehind(std::nullopt, MemorySpace::Global), 0.9);
  EXPECT_GT(HitsBehind(InstClass::Barrier, MemorySpace::Global), 0.9);
  EXPECT_EQ(HitsBehind(InstClass::MemBar, MemorySpace::Global), 0);
  EXPECT_GT(HitsBehind(InstClass::MemBar, MemorySpace::Local), 0.9);
}

TEST(Reuse, LoadsThatAcquireEmptyL1) {
  // Loads the same element 64 times, and a flag in each turn of the loop.
  auto HitsBehind = [](bool Acquires) {
    FactsBuilder B;
    Operand Address = B.element(B.pointer("in"), B.globalX(), 4);
    Operand Flag = B.pointer("flag");
    B.loop(B.imm(0), B.imm(64), B.imm(1), [&](Operand) {
      B.load(MemorySpace::Global, Address, 4);
      B.load(MemorySpace::Global, Flag, 4);
      B.Facts.Accesses.back().Volatile = true;
      B.Facts.Accesses.back().Acquires = Acquires;
    });
    return profile(B, launch({132, 1, 1}, {32, 1, 1}))
        .Accesses[0]
        .L1HitFraction;
  };
  EXPECT_GT(HitsBehind(false), 0.9);
  EXPECT_EQ(HitsBehind(true), 0);
}

TEST(Reuse, VolatileLoadsFindInL2WhatTheSmHasJustHad) {
  // x = in[i], then in[i] or in[i + 1048576] again by a volatile load.
  auto HitsInL2 = [](int64_t Offset, const LanesOptions &Options = {}) {
    FactsBuilder B;
    Operand In = B.pointer("in");
    B.load(MemorySpace::Global, B.element(In, B.globalX(), 4), 4);
    B.load(MemorySpace::Global,
           B.element(In, B.add(B.globalX(), B.imm(Offset)), 4), 4);
    B.Facts.Accesses.back().Volatile = true;
    const ExecutionProfile P = profileLaunch(
        B.finish(), launch({4096, 1, 1}, {256, 1, 1}), h200(), Options);
    return std::pair(P.Accesses[0].L2HitFraction, P.Accesses[1].L2HitFraction);
  };
  const auto [First, Again] = HitsInL2(0);
  EXPECT_NEAR(First, 0, 0.01);
  EXPECT_NEAR(Again, 1, 0.01);
  const auto [OfOne, OfOther] = HitsInL2(1 << 20);
  EXPECT_NEAR(OfOne, 0, 0.01);
  EXPECT_NEAR(OfOther, 0, 0.01);
  // Without the mechanism, each has half of it.
  LanesOptions Without;
  Without.Used.leaveOut(Mechanism::AskedAgain);
  const auto [Either, Other] = HitsInL2(0, Without);
  EXPECT_NEAR(Either, 0.5, 0.01);
  EXPECT_NEAR(Other, 0.5, 0.01);
}

TEST(Reuse, CopiesPastL1AskL2ForEachHalfOfASector) {
  // 16 bytes of the 32 of a thread, and the other 16.
  auto HitsInL1 = [](bool PastL1) {
    FactsBuilder B;
    Operand In = B.pointer("in");
    for (int64_t Half : {0, 16}) {
      B.load(MemorySpace::Global, B.element(In, B.globalX(), 32), 16, Half);
      MemoryAccess &A = B.Facts.Accesses.back();
      A.Kind = AccessKind::AsyncCopy;
      A.SharedBase = FactsBuilder::imm(0);
      A.Volatile = PastL1;
    }
    return profileLaunch(B.finish(), launch({4096, 1, 1}, {256, 1, 1}), h200(),
                         LanesOptions())
        .Accesses[1]
        .L1HitFraction;
  };
  EXPECT_NEAR(HitsInL1(/*PastL1=*/false), 1, 0.01);
  EXPECT_EQ(HitsInL1(/*PastL1=*/true), 0);
}

TEST(Reuse, ALongLoopLeavesNothingForTheNext) {
  // Two loops over the same megabyte: the first brings it from DRAM, the second
  // finds nothing in L1, and everything in L2.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  for (unsigned Pass = 0; Pass < 2; ++Pass)
    B.loop(B.imm(0), B.imm(1024), B.imm(1), [&](Operand I) {
      B.load(MemorySpace::Global, B.element(A, B.mad(I, B.imm(256), T), 4), 4);
    });
  ExecutionProfile P = profile(B, launch({1, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(P.Accesses[1].L1HitFraction, 0, 0.05);
  EXPECT_NEAR(*P.FootprintReadBytes, 1 << 20, 1);
  EXPECT_NEAR(P.Accesses[0].L2HitFraction, 0, 0.03);
  EXPECT_NEAR(P.Accesses[1].L2HitFraction, 1, 0.03);
  EXPECT_NEAR(P.Accesses[1].L2WaitFraction, 0, 0.03);
}

TEST(Reuse, WhatIsLoadedAheadEndsBeforeTheLoop) {
  // Each iteration loads the tile of the seventh after it, so that the last
  // seven load nothing; as many are loaded before.
  constexpr int64_t Tiles = 1000, Ahead = 7, Threads = 1024 * 256;
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.globalX();
  auto LoadTile = [&](Operand I) {
    B.load(MemorySpace::Global, B.element(A, B.mad(I, B.imm(Threads), T), 4),
           4);
  };
  B.loop(B.imm(0), B.imm(Ahead), B.imm(1), LoadTile);
  B.loop(B.imm(0), B.imm(Tiles), B.imm(1), [&](Operand I) {
    Operand Next = B.add(I, B.imm(Ahead));
    B.when(B.compare(ComparePredicate::LTS, Next, B.imm(Tiles)),
           [&] { LoadTile(Next); });
  });
  ExecutionProfile P = profile(B, launch({1024, 1, 1}, {256, 1, 1}));
  const double Bytes = Tiles * Threads * 4;
  EXPECT_NEAR(*P.FootprintReadBytes, Bytes, 0.005 * Bytes);
  EXPECT_NEAR(P.Accesses[0].L2HitFraction, 0, 0.01);
  EXPECT_NEAR(P.Accesses[1].L2HitFraction, 0, 0.01);
}

/// y[i] = x[i] over arrays of \p Bytes, ten times over, by a grid that is
/// resident as a whole.
ExecutionProfile sweeps(uint64_t Bytes, bool Stores) {
  const int64_t Threads = 264 * 512;
  FactsBuilder B;
  Operand X = B.pointer("x"), Y = B.pointer("y"), I = B.globalX();
  B.loop(B.imm(0), B.imm(10), B.imm(1), [&](Operand) {
    B.loop(I, B.imm(int64_t(Bytes / 4)), B.imm(Threads), [&](Operand J) {
      B.load(MemorySpace::Global, B.element(X, J, 4), 4);
      if (Stores)
        B.store(MemorySpace::Global, B.element(Y, J, 4), 4);
    });
  });
  return profile(B, launch({264, 1, 1}, {512, 1, 1}));
}

TEST(Reuse, SweepsBeyondL2ComeFromDramEachTime) {
  // Half of L2 of an H200 is enough where each SM reads what is its own.
  EXPECT_NEAR(sweeps(40 << 20, false).Accesses[0].L2HitFraction, 0.9, 0.01);
  const ExecutionProfile Read = sweeps(128 << 20, false);
  EXPECT_LT(Read.Accesses[0].L2HitFraction, 0.05);
  EXPECT_LT(Read.Accesses[0].FetchedAlongFraction, 0.05);
  // What is written needs room as well.
  EXPECT_GT(sweeps(24 << 20, true).Accesses[0].L2HitFraction, 0.85);
  const ExecutionProfile Copy = sweeps(40 << 20, true);
  EXPECT_LT(Copy.Accesses[0].L2HitFraction, 0.15);
  EXPECT_LT(Copy.Accesses[1].L2HitFraction, 0.25);
}

/// What hits in L2 where each of 64 rows of blocks reads the same \p Rows rows
/// of 64 KiB.
double hitOfRows(int64_t Rows) {
  FactsBuilder B;
  Operand A = B.pointer("a"), Column = B.globalX();
  B.loop(B.imm(0), B.imm(Rows), B.imm(1), [&](Operand K) {
    B.load(MemorySpace::Global, B.element(A, B.mad(K, B.imm(16384), Column), 4),
           4);
  });
  return profile(B, launch({64, 64, 1}, {256, 1, 1})).Accesses[0].L2HitFraction;
}

TEST(Reuse, WavesOfBlocksReadAgainWhatL2DoesNotHold) {
  // 16 and 128 MiB; 16.5 rows of blocks run together.
  EXPECT_NEAR(hitOfRows(256), 1 - 1 / 64.0, 0.002);
  EXPECT_NEAR(hitOfRows(2048), 1 - 1 / 16.5, 0.01);
}

TEST(Reuse, BlocksThatRunTogetherWaitForOneFetch) {
  // x[j] read by all threads of 128 blocks, one wave: DRAM brings each sector
  // once, and every SM waits for it.
  auto Build = [](FactsBuilder &B) {
    Operand X = B.pointer("x");
    B.loop(B.imm(0), B.imm(4096), B.imm(1), [&](Operand J) {
      B.load(MemorySpace::Global, B.element(X, J, 4), 4);
    });
  };
  FactsBuilder B;
  Build(B);
  ExecutionProfile P = profile(B, launch({128, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].L2HitFraction, 127.0 / 128, 0.01);
  EXPECT_NEAR(P.Accesses[0].L2WaitFraction, 1, 0.01);
  // Of ten waves, nine find what the first has brought.
  FactsBuilder C;
  Build(C);
  P = profile(C, launch({132 * 8 * 10, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].L2WaitFraction, 0.1, 0.01);
}

TEST(Reuse, WhatAWaveHasBroughtBeforeALoopIsNotAwaitedInIt) {
  // Each thread loads its own body, then those of all others: an n-body step.
  FactsBuilder B;
  Operand Bodies = B.pointer("bodies");
  B.load(MemorySpace::Global, B.element(Bodies, B.globalX(), 4), 4);
  B.loop(B.imm(0), B.imm(128 * 256), B.imm(1), [&](Operand J) {
    B.load(MemorySpace::Global, B.element(Bodies, J, 4), 4);
  });
  ExecutionProfile P = profile(B, launch({128, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].L2HitFraction, 0, 0.02);
  EXPECT_NEAR(P.Accesses[1].L2HitFraction, 1, 0.02);
  EXPECT_NEAR(P.Accesses[1].L2WaitFraction, 0, 0.02);
}

TEST(Reuse, DramBringsTwoSectors) {
  // One thread reads on and on: every other sector comes with the one before.
  FactsBuilder B;
  Operand X = B.pointer("x");
  B.loop(B.imm(0), B.imm(4096), B.imm(1), [&](Operand J) {
    B.load(MemorySpace::Global, B.element(X, J, 32), 4);
  });
  ExecutionProfile P = profile(B, launch({1, 1, 1}, {1, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].L1WaitFraction, 1, 0.01);
  EXPECT_NEAR(P.Accesses[0].FetchedAlongFraction, 0.5, 0.02);
  EXPECT_NEAR(P.Accesses[0].VisitsFetchedAlongFraction, 0.5, 0.02);
  // At twice the distance nothing comes along.
  FactsBuilder C;
  Operand Y = C.pointer("y");
  C.loop(C.imm(0), C.imm(4096), C.imm(1), [&](Operand J) {
    C.load(MemorySpace::Global, C.element(Y, J, 64), 4);
  });
  P = profile(C, launch({1, 1, 1}, {1, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].FetchedAlongFraction, 0, 0.01);
  EXPECT_NEAR(P.Accesses[0].VisitsFetchedAlongFraction, 0, 0.01);
  // Where only every other lane is at the begin of its pair, the request waits
  // for the rest, and half of its lines need no fetch all the same.
  FactsBuilder D;
  Operand Z = D.pointer("z");
  Operand Lane = D.element(Z, D.tidX(), 608);
  D.loop(D.imm(0), D.imm(16), D.imm(1), [&](Operand J) {
    D.load(MemorySpace::Global, D.element(Lane, J, 32), 4);
  });
  P = profile(D, launch({1, 1, 1}, {32, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].FetchedAlongFraction, 0, 0.07);
  EXPECT_NEAR(P.Accesses[0].VisitsFetchedAlongFraction, 0.5, 0.04);
}

TEST(Reuse, NeighboursThatStartTogetherWaitForOneFetch) {
  // u[blockIdx.x]: 8 blocks to a sector, each sector new to its wave.
  FactsBuilder B;
  Operand U = B.pointer("u");
  B.load(MemorySpace::Global, B.element(U, B.sreg(SpecialReg::CtaIdX), 4), 4);
  ExecutionProfile P = profile(B, launch({8448, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].L2WaitFraction, 1, 0.05);
}

TEST(Reuse, LocalMemoryInSteadyUseStaysInL2) {
  // Counters of 64 bytes a thread, beside a stream much larger than L2.
  FactsBuilder B;
  Operand Array = B.symbol("counts", MemorySpace::Local, 64);
  Operand X = B.pointer("x");
  B.loop(B.imm(0), B.imm(128), B.imm(1), [&](Operand J) {
    Operand Key =
        B.load(MemorySpace::Global,
               B.element(X, B.mad(J, B.imm(8448 * 256), B.globalX()), 4), 4);
    B.load(MemorySpace::Local,
           B.element(Array, B.op(Semantics::And, 32, {Key, B.imm(15)}), 4), 4);
  });
  ExecutionProfile P = profile(B, launch({8448, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(P.Accesses[0].L2HitFraction, 0, 0.05);
  EXPECT_GT(P.Accesses[1].L2HitFraction, 0.9);
}

TEST(Reuse, LocalMemoryOfASmallGridIsInL2) {
  // 64 KiB a thread: those of four blocks fit, those of all SMs do not.
  auto Hits = [](unsigned Blocks) {
    FactsBuilder B;
    Operand Array = B.symbol("matrix", MemorySpace::Local, 65536);
    Operand X = B.pointer("x");
    B.loop(B.imm(0), B.imm(128), B.imm(1), [&](Operand J) {
      Operand Key = B.load(MemorySpace::Global, B.element(X, J, 4), 4);
      B.load(MemorySpace::Local,
             B.element(Array, B.op(Semantics::And, 32, {Key, B.imm(16383)}), 4),
             4);
    });
    return profile(B, launch({Blocks, 1, 1}, {64, 1, 1}))
        .Accesses[1]
        .L2HitFraction;
  };
  EXPECT_GT(Hits(4), 0.9);
  EXPECT_LT(Hits(1056), 0.5);
}

TEST(Reuse, GatherFindsWhatL2Holds) {
  // source[index[i]] over 64 MiB, of which each half of L2 holds 30: measured
  // on an H200, 36 % of the sectors hit.
  FactsBuilder B;
  Operand Source = B.pointer("source"), Index = B.pointer("index");
  Operand I = B.globalX();
  Operand At = B.load(MemorySpace::Global, B.element(Index, I, 4), 4);
  B.load(MemorySpace::Global, B.element(Source, At, 4), 4);
  Launch L = launch({65536, 1, 1}, {256, 1, 1});
  ExecutionProfile P = profile(B, L);
  EXPECT_EQ(P.Accesses[1].Exact, Exactness::DataDependent);
  EXPECT_FALSE(P.Accesses[1].IsInOrder);
  EXPECT_NEAR(P.Accesses[1].L2HitFraction, 0.36, 0.06);
}

TEST(Reuse, LoadedConditionsLeaveTheOrder) {
  // if (flag[i] == 7) a[i], a[i + 1 M]: who loads is data, where is not.
  FactsBuilder B;
  Operand A = B.pointer("a"), Flag = B.pointer("flag"), I = B.globalX();
  Operand F = B.load(MemorySpace::Global, B.element(Flag, I, 4), 4);
  B.when(B.compare(ComparePredicate::NE, F, B.imm(7)), [&] {
    B.load(MemorySpace::Global, B.element(A, I, 4), 4);
    B.load(MemorySpace::Global, B.element(A, I, 4), 4, 4 << 20);
  });
  ExecutionProfile P = profile(B, launch({262144, 1, 1}, {256, 1, 1}));
  EXPECT_EQ(P.Accesses[1].Exact, Exactness::DataDependent);
  EXPECT_TRUE(P.Accesses[1].IsInOrder);
  EXPECT_NEAR(P.Accesses[1].L2HitFraction, 0.5, 0.03);
}

TEST(Reuse, SectorsOnWhichBlocksMeetCountOnce) {
  // A part of 128 x 128 floats of rows of 4096, in tiles of 8 x 8 that begin in
  // the middle of a sector, each with the row above it.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand At = B.element(A, B.mad(B.globalY(), B.imm(4096), B.globalX()), 4);
  B.load(MemorySpace::Global, At, 4, 16);
  B.load(MemorySpace::Global, At, 4, 16 - 4096 * 4);
  ExecutionProfile P = profile(B, launch({16, 16, 1}, {8, 8, 1}));
  const double Part = 128 * 128 * 4;
  EXPECT_GE(*P.FootprintReadBytes, Part);
  EXPECT_LE(*P.FootprintReadBytes, 1.1 * Part);
}

TEST(Reuse, WhatLiesBetweenPlanesIsNotReached) {
  // Two planes of 256 KiB, 4 MiB apart, each loaded at two offsets by all of
  // 8448 blocks.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand I = B.op(Semantics::And, 32, {B.globalX(), B.imm(65535)});
  Operand At = B.element(A, I, 4);
  for (int64_t Offset : {0, 32, 4 << 20, (4 << 20) + 32})
    B.load(MemorySpace::Global, At, 4, Offset);
  ExecutionProfile P = profile(B, launch({8448, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(*P.FootprintReadBytes, 2 * (65536 * 4 + 32), 1);
}

TEST(Reuse, StoresHitLinesThatAreThere) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Address = B.element(A, B.globalX(), 4);
  B.load(MemorySpace::Global, Address, 4);
  B.store(MemorySpace::Global, Address, 4);
  ExecutionProfile P = profile(B, launch({4096, 1, 1}, {256, 1, 1}));
  EXPECT_EQ(P.Accesses[0].L1HitFraction, 0);
  EXPECT_EQ(P.Accesses[1].L1HitFraction, 1);
}

TEST(Reuse, TableForAllBlocksIsCold) {
  // Every thread sums the same 4 KB: only the first pass of an SM misses.
  FactsBuilder B;
  Operand A = B.pointer("table");
  B.loop(B.imm(0), B.imm(1024), B.imm(1), [&](Operand I) {
    B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  });
  ExecutionProfile P = profile(B, launch({10000, 1, 1}, {256, 1, 1}));
  EXPECT_GT(P.Accesses[0].L1HitFraction, 0.98);
  EXPECT_NEAR(*P.FootprintReadBytes, 4096, 1);
}

/// Bytes that a[f(i)] reads, where i is the global number of a thread of
/// \p Blocks blocks of 256.
double readBehind(unsigned Blocks,
                  llvm::function_ref<Operand(FactsBuilder &, Operand)> F) {
  FactsBuilder B;
  Operand In = B.pointer("in");
  B.load(MemorySpace::Global, B.element(In, F(B, B.globalX()), 4), 4);
  ExecutionProfile P = profile(B, launch({Blocks, 1, 1}, {256, 1, 1}));
  return P.FootprintReadBytes ? *P.FootprintReadBytes : -1;
}

TEST(Reuse, BlocksThatMeetBehindAMaskAreNotTheWholeGrid) {
  // The first, the middle and the last of 8193 blocks reach the same lines.
  auto Masked = [](int64_t Stride, int64_t Mask) {
    return readBehind(8193, [=](FactsBuilder &B, Operand I) {
      return B.op(Semantics::And, 32, {B.mul(I, B.imm(Stride)), B.imm(Mask)});
    });
  };
  // A sector in each line of 128 MB, and each sector of as many.
  EXPECT_NEAR(Masked(32, (1 << 25) - 1) / (32 << 20), 1, 0.05);
  EXPECT_NEAR(Masked(8, (1 << 24) - 1) / (64 << 20), 1, 0.05);
  // Few lines, and some that all blocks reach.
  EXPECT_NEAR(Masked(32, (1 << 15) - 1) / (32 << 10), 1, 0.1);
  EXPECT_NEAR(Masked(4096, (1 << 20) - 1) / (8 << 10), 1, 0.1);
  auto Modulo = [](int64_t Stride, int64_t By) {
    return readBehind(8193, [=](FactsBuilder &B, Operand I) {
      return B.op(Semantics::RemU, 32, {B.mul(I, B.imm(Stride)), B.imm(By)});
    });
  };
  EXPECT_NEAR(Modulo(32, 1 << 25) / (32 << 20), 1, 0.05);
  EXPECT_NEAR(Modulo(32, 100 << 10) / (100 << 10), 1, 0.1);
}

TEST(Reuse, ConstantsThatHashReachAllThatTheMaskLeaves) {
  // i * 2654435761 & mask, all of 64 MB, and of 1 MB.
  auto Hashed = [](int64_t Mask) {
    return readBehind(8193, [=](FactsBuilder &B, Operand I) {
      return B.op(Semantics::And, 32,
                  {B.mul(I, B.imm(int32_t(2654435761u))), B.imm(Mask)});
    });
  };
  EXPECT_NEAR(Hashed((1 << 24) - 1) / (64 << 20), 1, 0.1);
  EXPECT_NEAR(Hashed((1 << 18) - 1) / (1 << 20), 1, 0.05);
}

TEST(Reuse, WhatAHashChoosesIsReadAsAGather) {
  // 2^24 reads of 128 MB and of 8 MB, of which an H200 holds 30.
  auto HitOf = [](int64_t Mask) {
    FactsBuilder B;
    Operand Hash =
        B.op(Semantics::And, 32,
             {B.mul(B.globalX(), B.imm(int32_t(2654435761u))), B.imm(Mask)});
    B.load(MemorySpace::Global, B.element(B.pointer("in"), Hash, 4), 4);
    ExecutionProfile P = profile(B, launch({65536, 1, 1}, {256, 1, 1}));
    return P.Accesses[0].L2HitFraction;
  };
  EXPECT_LT(HitOf((1 << 25) - 1), 0.2);
  EXPECT_GT(HitOf((1 << 21) - 1), 0.95);
}

/// Share of the sectors that a[i * Stride & (2^25 - 1)] hits in L2.
double hitBehindMask(int64_t Stride) {
  FactsBuilder B;
  Operand Masked =
      B.op(Semantics::And, 32,
           {B.mul(B.globalX(), B.imm(Stride)), B.imm((1 << 25) - 1)});
  B.load(MemorySpace::Global, B.element(B.pointer("in"), Masked, 4), 4);
  MemoryGeometry H100 = h200();
  H100.L2Bytes = 50 << 20;
  H100.DramFetchBytes = 64;
  return profile(B, launch({65537, 1, 1}, {256, 1, 1}), H100)
      .Accesses[0]
      .L2HitFraction;
}

TEST(Reuse, SectorsTakeTheRoomOfWhatDramBrings) {
  // One sector of each line of 128 MB, 16 times: 32 MB are 64 of 50 MB of L2.
  // Measured on an H100: 412 us, as much as with each sector (416 us).
  EXPECT_LT(hitBehindMask(32), 0.35);
  EXPECT_LT(hitBehindMask(33), 0.3);
  // The words of a sector are asked for within 256 blocks: 158 us.
  EXPECT_GT(hitBehindMask(4097), 0.6);
}

TEST(Reuse, WhatComesBackAfterAPeriodBeyondL2IsLost) {
  // a[i * 33 & mask] over 128 MB: each sector is read four times, the grid
  // between.
  FactsBuilder B;
  Operand Masked = B.op(Semantics::And, 32,
                        {B.mul(B.globalX(), B.imm(33)), B.imm((1 << 25) - 1)});
  B.load(MemorySpace::Global, B.element(B.pointer("in"), Masked, 4), 4);
  ExecutionProfile P = profile(B, launch({65537, 1, 1}, {256, 1, 1}));
  EXPECT_LT(P.Accesses[0].L2HitFraction, 0.3);
}

TEST(Reuse, StridedColumnCountsItsSectorsOnly) {
  // m[i * 2048]: 2048 sectors, not 16 MB.
  FactsBuilder B;
  Operand A = B.pointer("m");
  B.load(MemorySpace::Global, B.element(A, B.globalX(), 8192), 4);
  B.load(MemorySpace::Global, B.element(A, B.globalX(), 8192), 4);
  ExecutionProfile P = profile(B, launch({8, 1, 1}, {256, 1, 1}));
  EXPECT_LT(*P.FootprintReadBytes, 2 * 2048 * 32 + 100);
}

TEST(Reuse, StoresOfTheGridFillLines) {
  // Rows of 4096 floats that start 4 bytes behind a line.
  FactsBuilder B;
  Operand Dense = B.pointer("dense"), Apart = B.pointer("apart"),
          Fields = B.pointer("fields");
  Operand I = B.globalX();
  B.store(MemorySpace::Global, B.element(Dense, I, 4), 4, 4);
  B.store(MemorySpace::Global, B.element(Apart, I, 256), 4);
  // Two of the fields of a structure of 64 bytes.
  B.store(MemorySpace::Global, B.element(Fields, I, 64), 4);
  B.store(MemorySpace::Global, B.element(Fields, I, 64), 4, 32);
  Operand V = B.load(MemorySpace::Global, B.element(Dense, I, 4), 4);
  B.store(MemorySpace::Global, B.element(B.pointer("anywhere"), V, 4), 4);
  ExecutionProfile P = profile(B, launch({4096, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(*P.Accesses[0].WrittenLineBytes, 128, 0.1);
  EXPECT_EQ(*P.Accesses[1].WrittenLineBytes, 32);
  EXPECT_NEAR(*P.Accesses[2].WrittenLineBytes, 128, 0.1);
  EXPECT_FALSE(P.Accesses[4].WrittenLineBytes);
  EXPECT_FALSE(P.Accesses[5].WrittenLineBytes);
  EXPECT_NEAR(P.Accesses[0].LoadedFraction, 1, 1e-3);
  EXPECT_EQ(P.Accesses[1].LoadedFraction, 0);
}

/// Share of the sectors that one store in each of 256 \p Blocks threads fills
/// in part whose rest is fetched. \p Bytes from lane to lane.
static double restFetched(unsigned Blocks, int64_t Bytes) {
  FactsBuilder B;
  B.store(MemorySpace::Global, B.element(B.pointer("p"), B.globalX(), Bytes),
          4);
  ExecutionProfile P = profile(B, launch({Blocks, 1, 1}, {256, 1, 1}));
  return *P.Accesses[0].RestFetchedFraction;
}

TEST(Reuse, L2LetsGoOfSectorsThatStoresFillInPart) {
  // An H200 with 60 MB: 5 % of those in 8 MB of lines, 84 % of 32 MB, 99 % of
  // 128 MB (part-sectors.csv).
  EXPECT_NEAR(restFetched(1024, 32), 0.05, 0.1);
  EXPECT_NEAR(restFetched(4096, 32), 0.84, 0.1);
  EXPECT_GT(restFetched(16384, 32), 0.98);
  // Nothing is left out.
  EXPECT_LT(restFetched(16384, 4), 0.01);
}

/// The same where each of so many threads fills a row of 128 words.
static double restFetchedOfRows(unsigned Blocks) {
  FactsBuilder B;
  Operand Row = B.mul(B.globalX(), B.imm(128)), P = B.pointer("p");
  B.loop(B.imm(0), B.imm(128), B.imm(1), [&](Operand K) {
    B.store(MemorySpace::Global, B.element(P, B.add(Row, K), 4), 4);
  });
  return *profile(B, launch({Blocks, 1, 1}, {256, 1, 1}))
              .Accesses[0]
              .RestFetchedFraction;
}

TEST(Reuse, RowsUnderWayLoseSectorsBeforeTheyAreFilled) {
  // Of eight stores to a sector one brings its rest, if any.
  EXPECT_LT(restFetchedOfRows(64), 0.01);
  const double OfMany = restFetchedOfRows(1024);
  EXPECT_GT(OfMany, 0.2 / 8);
  EXPECT_LT(OfMany, 0.7 / 8);
}

TEST(Reuse, SweepsComeBackToSectorsThatL2HasLetGoOf) {
  // p[x * c + blockIdx.y] of 64 MB: 80 % of the sectors are fetched where c is
  // 96 (one of eight stores), more than half of the stores fetch where it is
  // 32, so that a sweep comes by every line.
  auto OfSweeps = [](unsigned C) {
    FactsBuilder B;
    Operand At =
        B.add(B.mul(B.globalX(), B.imm(C)), B.sreg(SpecialReg::CtaIdY));
    B.store(MemorySpace::Global, B.element(B.pointer("p"), At, 4), 4);
    return *profile(B, launch({(1u << 24) / 256 / C, C, 1}, {256, 1, 1}))
                .Accesses[0]
                .RestFetchedFraction;
  };
  EXPECT_NEAR(OfSweeps(96), 0.8 / 8, 0.03);
  EXPECT_GT(OfSweeps(32), 0.4);
}

TEST(Reuse, ColumnsOfBlocksThatRunTogetherFillSectors) {
  // p[i % 4096 * 2048 + i / 4096], 8 bytes: 66 columns at a time.
  FactsBuilder B;
  Operand I = B.globalX();
  Operand Row = B.op(Semantics::RemU, 32, {I, B.imm(4096)});
  Operand At = B.add(B.mul(Row, B.imm(2048)),
                     B.op(Semantics::DivU, 32, {I, B.imm(4096)}));
  B.store(MemorySpace::Global, B.element(B.pointer("p"), At, 8), 8);
  EXPECT_LT(*profile(B, launch({32768, 1, 1}, {256, 1, 1}))
                 .Accesses[0]
                 .RestFetchedFraction,
            0.01);
}

TEST(Reuse, WhatOneBlockAloneReadsIsFoundAgain) {
  // b[i] = ...; if (i == 0) for (k = 0; k < 4096; ++k) a[k]
  FactsBuilder B;
  Operand A = B.pointer("a"), Out = B.pointer("b"), I = B.globalX();
  B.store(MemorySpace::Global, B.element(Out, I, 4), 4);
  B.when(B.compare(ComparePredicate::EQ, I, B.imm(0)), [&] {
    B.loop(B.imm(0), B.imm(4096), B.imm(1), [&](Operand K) {
      B.load(MemorySpace::Global, B.element(A, K, 4), 4);
    });
  });
  ExecutionProfile P = profile(B, launch({4096, 1, 1}, {256, 1, 1}));
  EXPECT_NEAR(P.Accesses[1].L1HitFraction, 7 / 8.0, 0.02);
}

TEST(Reuse, WhatOneWarpLoadsForItsBlockIsFoundInL2) {
  // if (threadIdx.x / 32 == Role) t[blockIdx.y * 32 + threadIdx.x % 32]
  // in 64 columns of blocks, which all load the same.
  auto HitIfLoadedBy = [](uint64_t Role) {
    FactsBuilder B;
    Operand In = B.pointer("in");
    Operand X = B.tidX();
    Operand Warp = B.op(Semantics::ShrU, 32, {X, B.imm(5)});
    Operand Lane = B.op(Semantics::And, 32, {X, B.imm(31)});
    Operand Row =
        B.op(Semantics::Mul, 32, {B.sreg(SpecialReg::CtaIdY), B.imm(32)});
    Operand I = B.op(Semantics::Add, 32, {Row, Lane});
    B.when(B.compare(ComparePredicate::EQ, Warp, B.imm(Role)),
           [&] { B.load(MemorySpace::Global, B.element(In, I, 4), 4); });
    return profile(B, launch({64, 512, 1}, {256, 1, 1}))
        .Accesses[0]
        .L2HitFraction;
  };
  EXPECT_GT(HitIfLoadedBy(0), 0.9);
  EXPECT_DOUBLE_EQ(HitIfLoadedBy(2), HitIfLoadedBy(0));
  EXPECT_DOUBLE_EQ(HitIfLoadedBy(5), HitIfLoadedBy(0));
}

TEST(Reuse, UnknownL1SizeIsSaid) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4);
  ExecutionProfile P =
      profile(B, launch({8, 1, 1}, {256, 1, 1}), MemoryGeometry());
  EXPECT_EQ(P.Accesses[0].L1HitFraction, 0);
  EXPECT_EQ(P.Accesses[0].ReuseReason.rfind("the size of L1 is not known", 0),
            0u);
}

} // namespace
