//===- MemoryBoundsTest.cpp - What single accesses occupy -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/ThroughputBounds.h"
#include "Numbers/Numbers.h"
#include "Numbers/OperationLatency.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuocc;
using llvm::is_contained;

namespace {

DeviceModel device() {
  DeviceModel D;
  D.Name = "made-up";
  D.Architecture = "sm_90";
  auto Set = [&](Quantity Q, double Value) { D.Quantities[Q].Value = Value; };
  Set(Quantity::SmCount, 100);
  Set(Quantity::L1LineBytes, 128);
  Set(Quantity::L2ReadBytesPerCycle, 1e9);
  Set(Quantity::DramReadBytesPerCycle, 16);
  Set(Quantity::DramWriteBytesPerCycle, 16);
  Set(Quantity::DramStridedSectorsPerCycle, 0.25);
  Set(Quantity::DramRandomSectorsPerCycle, 0.2);
  Set(Quantity::DramStridedWriteSectorsPerCycle, 0.125);
  Set(Quantity::DramRandomWriteSectorsPerCycle, 0.0625);
  Set(Quantity::AtomicGlobalDistinct, 2);
  Set(Quantity::AtomicGlobalSameAddress, 0.5);
  Set(Quantity::AtomicGlobalOneLine, 8);
  Set(Quantity::L2SliceBytes, 512);
  return D;
}

/// Cycles of \p R per warp for a kernel of one access.
double cycles(Resource R, AccessKind Kind, const AccessProfile &Access,
              const DeviceModel &D = device(), const MemoryAccess &Form = {}) {
  KernelFacts F;
  F.Architecture = "sm_90";
  F.Blocks.resize(1);
  F.Blocks[0].NumOps = 1;
  Operation Op;
  Op.Emits = {Emission{Kind == AccessKind::Load    ? InstClass::LdGlobal
                       : Kind == AccessKind::Store ? InstClass::StGlobal
                                                   : InstClass::AtomGlobal}};
  Op.Block = 0;
  Op.Access = 0;
  F.Operations.push_back(Op);
  MemoryAccess A = Form;
  A.Op = 0;
  A.Space = MemorySpace::Global;
  A.Kind = Kind;
  F.Accesses.push_back(A);
  ExecutionProfile P;
  P.Blocks.push_back({1, 1});
  P.Accesses.push_back(Access);
  Launch L;
  L.Block.Value = {256, 1, 1};
  for (const Bound &B : predict(F, P, L, D).Bounds)
    if (B.What == R)
      return B.CyclesPerWarp;
  return 0;
}

AccessProfile access(double Sectors, double Lines) {
  AccessProfile P;
  P.ExecutionsPerWarp = P.RequestsPerWarp = 1;
  P.SectorsPerRequest = Sectors;
  P.IdealSectorsPerRequest = 4;
  P.LinesPerRequest = Lines;
  P.Exact = Exactness::Exact;
  return P;
}

/// Cycles of L2 per warp for an SM whose neighbours idle, over those while all
/// SMs are busy.
double alone(AccessKind Kind, const AccessProfile &Access) {
  DeviceModel D = device();
  auto Set = [&](Quantity Q, double Value) { D.Quantities[Q].Value = Value; };
  Set(Quantity::L2ReadBytesPerCycle, 32);
  Set(Quantity::L2ReadBytesPerCycleOneSm, 96);
  Set(Quantity::L2WriteBytesPerCycle, 16);
  Set(Quantity::L2RandomSectorsPerCycle, 0.5);
  Set(Quantity::L2RandomWriteSectorsPerCycle, 0.25);
  Set(Quantity::L2PartialWriteSectorsPerCycle, 0.4);
  KernelFacts F;
  F.Architecture = "sm_90";
  F.Blocks.resize(1);
  F.Blocks[0].NumOps = 1;
  Operation Op;
  Op.Block = Op.Access = 0;
  F.Operations.push_back(Op);
  MemoryAccess A;
  A.Op = 0;
  A.Space = MemorySpace::Global;
  A.Kind = Kind;
  F.Accesses.push_back(A);
  ExecutionProfile Profile;
  Profile.Blocks.push_back({1, 1});
  Profile.Accesses.push_back(Access);
  Numbers N(D);
  Prediction P;
  const ThroughputCycles Cycles =
      fillThroughputBounds(F, Profile, {}, 8, 8, N, P);
  for (const Bound &B : P.Bounds)
    if (B.What == Resource::L2)
      return Cycles.OneSm[size_t(Resource::L2)] / B.CyclesPerWarp;
  return 0;
}

TEST(MemoryBounds, RandomSectorsStandInForStridedOnesAndAreNamed) {
  DeviceModel D = device();
  D.Quantities.erase(Quantity::DramStridedSectorsPerCycle);
  const AccessProfile Apart = access(32, 32);
  EXPECT_NEAR(cycles(Resource::Dram, AccessKind::Load, Apart, D), 32 / 0.2,
              1e-9);
  Numbers N(D);
  EXPECT_TRUE(N.borrowed().empty());
  KernelFacts F;
  F.Architecture = "sm_90";
  F.Blocks.resize(1);
  F.Blocks[0].NumOps = 1;
  F.Operations.resize(1);
  F.Operations[0].Block = F.Operations[0].Access = 0;
  F.Accesses.resize(1);
  F.Accesses[0].Op = 0;
  F.Accesses[0].Space = MemorySpace::Global;
  ExecutionProfile Profile;
  Profile.Blocks.push_back({1, 1});
  Profile.Accesses.push_back(Apart);
  Prediction P;
  (void)fillThroughputBounds(F, Profile, {}, 8, 8, N, P);
  EXPECT_TRUE(is_contained(N.borrowed(), "dram_strided_sectors_per_cycle_sm "
                                         "(dram_random_sectors_per_cycle_sm)"));
}

TEST(MemoryBounds, AnSmAloneGetsMoreOfL2) {
  EXPECT_NEAR(alone(AccessKind::Load, access(4, 1)), 32 / 96.0, 1e-9);
  // Each sector of a line of its own comes no faster.
  EXPECT_NEAR(alone(AccessKind::Load, access(32, 32)), 1, 1e-9);
  EXPECT_LT(alone(AccessKind::Store, access(4, 1)), 1);
  EXPECT_NEAR(alone(AccessKind::Store, access(32, 32)), 0.25 / 0.4, 1e-9);
}

TEST(MemoryBounds, LoneSectorsCostMoreAtRandomThanInOrder) {
  AccessProfile P = access(32, 32);
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Load, P), 32 / 0.25);
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Store, P), 32 / 0.125);
  P.IsInOrder = false;
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Load, P), 32 / 0.2);
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Store, P), 32 / 0.0625);
}

TEST(MemoryBounds, SectorsFetchedAlongCostWhatTwoTakeBeyondOne) {
  DeviceModel D = device();
  D.Quantities[Quantity::DramPairedSectorsPerCycle].Value = 0.32;
  AccessProfile P = access(32, 32);
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Load, P, D), 32 / 0.25);
  P.VisitsFetchedAlongFraction = 0.5;
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Load, P, D), 32 / 0.32);
}

TEST(MemoryBounds, SectorsWithPartsLeftOutTakeL2Longer) {
  DeviceModel D = device();
  D.Quantities[Quantity::L2WriteBytesPerCycle].Value = 16;
  D.Quantities[Quantity::L2RandomWriteSectorsPerCycle].Value = 0.25;
  // Two cycles for a line in which parts are left out: 4 bytes of each of 28
  // sectors in 7 lines, whole sectors, and 32 words that begin within one.
  EXPECT_DOUBLE_EQ(cycles(Resource::L2, AccessKind::Store, access(28, 7), D),
                   28 * 2 + 7 * 2);
  EXPECT_DOUBLE_EQ(cycles(Resource::L2, AccessKind::Store, access(4, 1), D),
                   4 * 2);
  EXPECT_DOUBLE_EQ(cycles(Resource::L2, AccessKind::Store, access(5, 2), D),
                   5 * 2 + 2 * 2);
}

TEST(MemoryBounds, RestsOfSectorsComeFromDram) {
  AccessProfile P = access(32, 32);
  P.RestFetchedFraction = 0.5;
  // Reads of lone sectors beside what is written.
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Store, P),
                   16 / 0.25 + 32 * (1 / 0.125 - 1 / 0.25));
  // L2 takes in a line for each, and lets go of one.
  DeviceModel D = device();
  const double Without = cycles(Resource::L2, AccessKind::Store, P, D);
  D.Quantities[Quantity::L2FillBytesPerCycle].Value = 64;
  EXPECT_DOUBLE_EQ(cycles(Resource::L2, AccessKind::Store, P, D),
                   Without + 2 * 16 * 128 / 64.0);
}

TEST(MemoryBounds, StridesBorrowFromRandomSectors) {
  DeviceModel D = device();
  D.Quantities.erase(Quantity::DramStridedWriteSectorsPerCycle);
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Store, access(32, 32), D),
                   32 / 0.0625);
}

TEST(MemoryBounds, LoadsBringWhatStoresLeaveOutOfSectors) {
  AccessProfile P = access(32, 32);
  P.IdealSectorsPerRequest = 4;
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Store, P), 32 / 0.125);
  P.LoadedFraction = 1;
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Store, P),
                   32 * (1 / 0.125 - 1 / 0.25));
  // Nothing is left out of a sector that a store fills.
  P.LoadedFraction = 0;
  P.IdealSectorsPerRequest = 32;
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Store, P),
                   32 * (1 / 0.125 - 1 / 0.25));
}

TEST(MemoryBounds, WrittenLinesLeaveL2Whole) {
  // 32 floats that start 4 bytes behind a line: five sectors of two lines.
  AccessProfile P = access(5, 2);
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Store, P), 2 / 0.125);
  // Other warps write the rest of both.
  P.WrittenLineBytes = 127.9;
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Store, P), 5 * 32 / 16.0);
  // Nobody writes more than a sector of each line.
  P = access(32, 32);
  P.WrittenLineBytes = 32;
  EXPECT_DOUBLE_EQ(cycles(Resource::Dram, AccessKind::Store, P), 32 / 0.125);
}

/// Cycles per lane of an atomic whose lanes are \p OnOneWord to a word and take
/// \p Turns, over \p Bytes that the whole grid changes.
double perLane(double OnOneWord, double Turns, double Bytes) {
  AccessProfile P = access(4, 1);
  P.LanesPerAddress = OnOneWord;
  P.SerializedPasses = Turns;
  P.GridSectors = std::ceil(Bytes / 32);
  P.GridSpanBytes = Bytes;
  return cycles(Resource::L2, AccessKind::Atomic, P) / 32;
}

TEST(MemoryBounds, BulkReductionsStreamAtARateOfTheirOwn) {
  DeviceModel D = device();
  D.Quantities[Quantity::L2WriteBytesPerCycle].Value = 16;
  MemoryAccess Bulk;
  Bulk.Bulk = true;
  AccessProfile P = access(256, 64);
  P.GridSectors = 256;
  P.L2HitFraction = 1;
  const double Bytes = 256 * 32;
  // As stores where only they are known; no turns of lanes.
  EXPECT_NEAR(cycles(Resource::L2, AccessKind::Reduction, P, D, Bulk),
              Bytes / 16, 1e-6);
  D.Quantities[Quantity::L2BulkReductionBytesPerCycle].Value = 12.8;
  EXPECT_NEAR(cycles(Resource::L2, AccessKind::Reduction, P, D, Bulk),
              Bytes / 12.8, 1e-6);
  EXPECT_NEAR(cycles(Resource::L2, AccessKind::Store, P, D, Bulk), Bytes / 16,
              1e-6);
}

TEST(MemoryBounds, AtomicsOnOneWordGoOneByOne) {
  EXPECT_NEAR(perLane(32, 32, 4), 100 / 0.5, 1e-6);
  EXPECT_NEAR(perLane(16, 16, 8), 100 / 0.5 / 2, 1e-6);
}

TEST(MemoryBounds, StoresToOneSectorGoOneByOne) {
  AccessProfile P = access(1, 1);
  P.GridSectors = 1;
  EXPECT_NEAR(cycles(Resource::L2, AccessKind::Store, P), 100 / 0.5, 1e-6);
  P.GridSectors = 4;
  EXPECT_NEAR(cycles(Resource::L2, AccessKind::Store, P), 100 / 0.5 / 4, 1e-6);
  P.MergedStoreFraction = 0.5;
  EXPECT_NEAR(cycles(Resource::L2, AccessKind::Store, P), 100 / 0.5 / 8, 1e-6);
}

TEST(MemoryBounds, LoadsOfFewLinesQueueAtTheirSlices) {
  DeviceModel D = device();
  auto Set = [&](Quantity Q, double Value) { D.Quantities[Q].Value = Value; };
  Set(Quantity::RedGlobalSameAddress, 0.5);
  Set(Quantity::RedGlobalOneLine, 4);
  Set(Quantity::RedGlobalDistinct, 2);
  Set(Quantity::L2ReadBytesPerCycle, 32);
  Set(Quantity::L2Partitions, 2);
  auto Cycles = [&](double Sectors, const AccessProfile &Of) {
    AccessProfile P = Of;
    P.L2HitFraction = 1;
    P.WaveSectors = Sectors;
    P.WaveSpanBytes = Sectors * 32;
    return cycles(Resource::L2, AccessKind::Load, P, D);
  };
  // A lone sector of 512 bytes: half a turn a cycle in each of two partitions.
  EXPECT_NEAR(Cycles(16, access(1, 1)), 100 / (0.5 * 2), 1e-6);
  // Of 50 slices two.
  EXPECT_NEAR(Cycles(32, access(1, 1)), 100 / (0.5 * 2) / (2 * 50 / 51.0),
              1e-6);
  // A line is a turn, whatever its sectors.
  EXPECT_NEAR(Cycles(16, access(4, 1)), 100 / (0.5 * 2), 1e-6);
  EXPECT_NEAR(Cycles(16, access(16, 4)), 4 * 100 / (0.5 * 2), 1e-6);
  // 64 sectors one by one, by warps that are 32 of them apart: as of 32.
  AccessProfile Sweep = access(1, 1);
  Sweep.ExecutionsPerWarp = Sweep.RequestsPerWarp = 64;
  EXPECT_NEAR(Cycles(64, Sweep), 64 * 100 / (0.5 * 2) / (2 * 50 / 51.0), 1e-6);
  // Eight words of each.
  Sweep.ExecutionsPerWarp = Sweep.RequestsPerWarp = 512;
  Sweep.DistinctAddressesPerRequest = 1;
  EXPECT_NEAR(Cycles(64, Sweep), 512 * 100 / (0.5 * 2), 1e-6);
  // L1 has three of four.
  AccessProfile Hits = access(1, 1);
  Hits.L1HitFraction = 0.75;
  EXPECT_NEAR(Cycles(16, Hits), 100 / (0.5 * 2) / 4, 1e-6);
  // All slices, as any loads.
  EXPECT_NEAR(Cycles(1 << 20, access(4, 1)), 4, 1e-6);
}

TEST(MemoryBounds, TheBusTakesBothDirectionsAtOnce) {
  DeviceModel D = device();
  auto Set = [&](Quantity Q, double Value) { D.Quantities[Q].Value = Value; };
  Set(Quantity::SmClockMhz, 1000);
  Set(Quantity::HostToDevicePinned, 50);
  Set(Quantity::DeviceToHostPinned, 100);
  AccessProfile P = access(4, 1);
  EXPECT_EQ(cycles(Resource::Host, AccessKind::Load, P, D), 0);
  P.IsHostMemory = true;
  EXPECT_NEAR(cycles(Resource::Host, AccessKind::Load, P, D),
              4 * 32 * 100 / 50.0, 1e-6);
  EXPECT_NEAR(cycles(Resource::Host, AccessKind::Store, P, D),
              4 * 32 * 100 / 100.0, 1e-6);
  EXPECT_EQ(cycles(Resource::Dram, AccessKind::Load, P, D), 0);
  EXPECT_EQ(cycles(Resource::Dram, AccessKind::Store, P, D), 0);
}

TEST(MemoryBounds, AtomicsOnOtherWordsGoOnMeanwhile) {
  // All lanes on one word, which differs between warps: a turn of one lane
  // takes one of 25 slices two cycles, a little less than with none idle, and
  // on the same word four.
  DeviceModel D = device();
  D.Quantities[Quantity::AtomicGlobalFloatSameAddress].Value = 0.25;
  MemoryAccess A;
  A.OnFloats = true;
  auto PerLane = [&](double Sectors) {
    AccessProfile P = access(1, 1);
    P.LanesPerAddress = P.SerializedPasses = 32;
    P.GridSectors = Sectors;
    P.GridSpanBytes = Sectors * 32;
    return cycles(Resource::L2, AccessKind::Atomic, P, D, A) / 32;
  };
  EXPECT_NEAR(PerLane(13), 100 * 1.96, 1e-6);
  EXPECT_NEAR(PerLane(1), 100 * 4, 1e-6);
}

TEST(MemoryBounds, BlocksThatRunTogetherMeetOnTheirWords) {
  // A word for each row, of which a wave has few.
  AccessProfile P = access(1, 1);
  P.LanesPerAddress = P.SerializedPasses = 32;
  P.GridSectors = 1024;
  P.GridSpanBytes = 1024 * 32;
  const double OfAll = cycles(Resource::L2, AccessKind::Reduction, P);
  P.WaveSectors = 16;
  P.WaveSpanBytes = 16 * 32;
  const double OfWave = cycles(Resource::L2, AccessKind::Reduction, P);
  EXPECT_GT(OfWave, 10 * OfAll);
  P.GridSectors = 16;
  P.GridSpanBytes = 16 * 32;
  EXPECT_EQ(cycles(Resource::L2, AccessKind::Reduction, P), OfWave);
  // Blocks leave behind reductions of one lane, and others meet theirs.
  P.GridSectors = 1024;
  P.GridSpanBytes = 1024 * 32;
  P.ActiveLanes = P.LanesPerAddress = P.SerializedPasses = 1;
  const double OfOneLane = cycles(Resource::L2, AccessKind::Reduction, P);
  EXPECT_GT(cycles(Resource::L2, AccessKind::Atomic, P), 2 * OfOneLane);
}

TEST(MemoryBounds, AtomicsOnFewLinesShareASlice) {
  EXPECT_NEAR(perLane(1, 4, 128), 100 / 8.0, 1e-6);
  EXPECT_NEAR(perLane(1, 4, 512), 100 / 8.0, 1e-6);
  // Two pieces, which may lie in one of the 25 slices.
  EXPECT_NEAR(perLane(1, 4, 1024), 100 / 8.0 / (2 * 25 / 26.0), 1e-6);
}

TEST(MemoryBounds, LanesThatMeetOnWordsOfASectorTakeTurns) {
  // Eight lanes a turn in order, in a cycle; 32 lanes in no order on 64 words
  // take 13.1 turns, of two cycles with one lane.
  const double OfTurn = 1.96 - 0.96 * (32 / 13.1 - 1) / 7;
  EXPECT_NEAR(perLane(2.7, 13.1, 256), 100 * OfTurn * 13.1 / 32, 1e-6);
  // Far apart each lane is a turn.
  EXPECT_NEAR(perLane(1, 32, 1 << 30), 8 / 2.0, 1e-3);
}

TEST(MemoryBounds, TurnsOfASectorWaitForEachOther) {
  DeviceModel D = device();
  D.Quantities[Quantity::AtomicGlobalFloatSameAddress].Value = 0.1;
  MemoryAccess A;
  A.OnFloats = true;
  AccessProfile P = access(2, 1);
  // Two lanes on each of 16 words, in two turns of each of two sectors.
  P.LanesPerAddress = 2;
  P.SerializedPasses = 4;
  P.GridSectors = 2;
  P.GridSpanBytes = 64;
  EXPECT_NEAR(cycles(Resource::L2, AccessKind::Atomic, P, D, A), 100 * 2 / 0.1,
              1e-6);
}

TEST(MemoryBounds, LanesOfASectorGoOneByOneWhereNothingElseIsKnown) {
  DeviceModel D = device();
  D.Quantities.erase(Quantity::AtomicGlobalOneLine);
  D.Quantities.erase(Quantity::L2SliceBytes);
  AccessProfile P = access(4, 1);
  P.LanesPerAddress = 1;
  P.SerializedPasses = 4;
  P.GridSectors = 4;
  for (AccessKind Kind : {AccessKind::Atomic, AccessKind::Reduction})
    EXPECT_NEAR(cycles(Resource::L2, Kind, P, D) / 32, 100 / 0.5 / 4, 1e-6);
}

TEST(MemoryBounds, L2ServesOthersWhileAtomicsOnAWordWait) {
  KernelFacts F;
  F.Architecture = "sm_90";
  F.Blocks.resize(1);
  F.Blocks[0].NumOps = 2;
  for (auto [Kind, Class] :
       {std::pair(AccessKind::Load, InstClass::LdGlobal),
        std::pair(AccessKind::Reduction, InstClass::RedGlobal)}) {
    MemoryAccess A;
    A.Op = uint32_t(F.Operations.size());
    A.Space = MemorySpace::Global;
    A.Kind = Kind;
    Operation Op;
    Op.Emits = {Emission{Class}};
    Op.Block = 0;
    Op.Access = uint32_t(F.Accesses.size());
    F.Operations.push_back(Op);
    F.Accesses.push_back(A);
  }
  F.Accesses.back().OnFloats = true;
  DeviceModel D = device();
  D.Quantities[Quantity::L2ReadBytesPerCycle].Value = 1;
  D.Quantities[Quantity::AtomicGlobalFloatSameAddress].Value = 0.25;
  Launch L;
  L.Block.Value = {256, 1, 1};
  auto L2Cycles = [&](double LanesOnWord) {
    ExecutionProfile P;
    P.Blocks.push_back({1, 1});
    P.Accesses = {access(4, 1), access(1, 1)};
    P.Accesses[1].ActiveLanes = P.Accesses[1].LanesPerAddress =
        P.Accesses[1].SerializedPasses = LanesOnWord;
    P.Accesses[1].GridSectors = 1;
    P.Accesses[1].GridSpanBytes = 4;
    for (const Bound &B : predict(F, P, L, D).Bounds)
      if (B.What == Resource::L2)
        return B.CyclesPerWarp;
    return 0.0;
  };
  // 128 bytes are loaded and a turn takes a slice 200 cycles; on one word the
  // next one starts after 400.
  D.Quantities[Quantity::L2ReadBytesPerCycle].Value = 128.0 / 300;
  EXPECT_NEAR(L2Cycles(1), 300 + 200, 1);
  EXPECT_NEAR(L2Cycles(2), 2 * 400, 1);
}

TEST(MemoryBounds, AtomicsOfFloatsAndSwapsHaveRatesOfTheirOwn) {
  DeviceModel D = device();
  auto Set = [&](Quantity Q, double Value) { D.Quantities[Q].Value = Value; };
  Set(Quantity::AtomicGlobalFloatSameAddress, 0.25);
  Set(Quantity::AtomicGlobalDoubleOneLine, 1);
  Set(Quantity::AtomicGlobalDoubleDistinct, 0.5);
  Set(Quantity::AtomicGlobalSwapOneLine, 4);
  Set(Quantity::AtomicGlobalSwapDistinct, 1);
  auto PerLane = [&](const char *Op, bool OnFloats, unsigned Bytes,
                     double OnOneWord, double Turns, double Span) {
    AccessProfile P = access(4, 1);
    P.LanesPerAddress = OnOneWord;
    P.SerializedPasses = Turns;
    P.GridSectors = std::ceil(Span / 32);
    P.GridSpanBytes = Span;
    MemoryAccess A;
    A.AtomicOp = Op;
    A.OnFloats = OnFloats;
    A.BytesPerLane = Bytes;
    return cycles(Resource::L2, AccessKind::Atomic, P, D, A) / 32;
  };
  EXPECT_NEAR(PerLane("add", false, 4, 32, 32, 4), 100 / 0.5, 1e-6);
  EXPECT_NEAR(PerLane("add", true, 4, 32, 32, 4), 100 / 0.25, 1e-6);
  // Of different words only doubles take longer, four of them a turn, and
  // swaps of a pair of sectors.
  EXPECT_NEAR(PerLane("add", true, 4, 1, 4, 128), 100 / 8.0, 1e-6);
  EXPECT_NEAR(PerLane("add", true, 8, 1, 8, 256), 100 / 1.0, 1e-6);
  EXPECT_NEAR(PerLane("add", true, 8, 1, 8, 1 << 30), 1 / 0.5, 1e-3);
  EXPECT_NEAR(PerLane("cas", false, 4, 1, 4, 128), 100 / 4.0, 1e-6);
  // A single half is swapped with the word that it lies in.
  EXPECT_NEAR(PerLane("add", true, 2, 1, 4, 128), 100 / 4.0, 1e-6);
}

TEST(MemoryBounds, SectorsFarApartMeetInSlices) {
  // All lanes on one of two sectors a page apart, of 25 slices.
  AccessProfile P = access(1, 1);
  P.LanesPerAddress = P.SerializedPasses = 32;
  P.GridSectors = 2;
  P.GridSpanBytes = 4096 + 4;
  const double OfTurn = 2 - 2 * 25 / 26.0 / 25;
  EXPECT_NEAR(cycles(Resource::L2, AccessKind::Atomic, P),
              100 * 32 * OfTurn * 26 / (2 * 25), 1e-6);
}

TEST(MemoryBounds, AtomicsOnManyLinesTakeAllSlices) {
  EXPECT_NEAR(perLane(1, 4, 1 << 30), 1 / 2.0, 1e-3);
  // 200 lanes a cycle of the chip on distinct words are 25 slices, each busy
  // with the turns of a request; other requests have other words.
  EXPECT_NEAR(perLane(32, 32, 1 << 30), 8 * 100 / 8.0 / 25, 1e-3);
}

TEST(MemoryBounds, SmsOfAGroupShareWhatTheyRead) {
  DeviceModel D = device();
  D.Quantities[Quantity::L2ReadBytesPerCycle].Value = 32;
  auto Read = [&](double BlocksPerLine, bool IsInOrder = true) {
    AccessProfile P = access(16, 4);
    P.L2HitFraction = 1;
    P.BlocksPerLine = BlocksPerLine;
    P.IsInOrder = IsInOrder;
    return cycles(Resource::L2, AccessKind::Load, P, D);
  };
  EXPECT_NEAR(Read(100), 16, 1e-6);
  D.Quantities[Quantity::L2Coalescers].Value = 8;
  D.Quantities[Quantity::L2MergedReadBytesPerCycle].Value = 64;
  // Up to one SM of each group there is nothing to merge.
  EXPECT_NEAR(Read(1), 16, 1e-6);
  EXPECT_NEAR(Read(8), 16, 1e-6);
  EXPECT_NEAR(Read(12), 512.0 / 48, 1e-6);
  EXPECT_NEAR(Read(16), 8, 1e-6);
  EXPECT_NEAR(Read(100), 8, 1e-6);
  EXPECT_NEAR(Read(100, false), 16, 1e-6);
}

TEST(SharedAtomics, SwapsTakeLongerTurns) {
  DeviceModel D = device();
  D.Quantities[Quantity::SharedWavefront].Value = 1;
  D.Quantities[Quantity::AtomicSharedLatency].Value = 26;
  D.Quantities[Quantity::AtomicSharedConflict].Value = 2;
  D.Quantities[Quantity::AtomicSharedSwap].Value = 2;
  Numbers N(D);
  MemoryAccess A;
  A.Space = MemorySpace::Shared;
  A.Kind = AccessKind::Atomic;
  A.AtomicOp = "add";
  AccessProfile P;
  P.LanesPerAddress = 32;
  EXPECT_EQ(sharedTurnCycles(A, N), 1);
  EXPECT_EQ(accessLatency(A, P, N).Cycles, 26 + 31 * 2);
  // Measured on an H100: 64 cycles of shared memory, 154 alone.
  A.AtomicOp = "cas";
  EXPECT_EQ(32 * sharedTurnCycles(A, N), 64);
  EXPECT_EQ(accessLatency(A, P, N).Cycles, 26 + 31 * 4);
  // Those that are retried fail together, in the turns counted for them.
  A.Combining = LaneCombining::Retried;
  EXPECT_EQ(sharedTurnCycles(A, N), 1);
}

/// Of the cycles that a kernel of \p Op and \p A, if any, takes of \p R, the
/// share that counters see.
double countedShare(Resource R, const Operation &Op, const MemoryAccess *A,
                    const AccessProfile &Access) {
  KernelFacts F;
  F.Architecture = "sm_90";
  F.Blocks.resize(1);
  F.Blocks[0].NumOps = 1;
  F.Operations.push_back(Op);
  ExecutionProfile P;
  P.Blocks.push_back({1, 1});
  if (A) {
    F.Operations[0].Access = 0;
    F.Accesses.push_back(*A);
    P.Accesses.push_back(Access);
  }
  Launch L;
  L.Block.Value = {256, 1, 1};
  DeviceModel D = device();
  D.Quantities[Quantity::DsmLoadLane].Value = 2;
  D.Quantities[Quantity::DsmAtomicLane].Value = 4;
  const Prediction Out = predict(F, P, L, D);
  for (const Bound &B : Out.Bounds)
    if (B.What == R)
      return Out.Busy[size_t(R)] / (B.CyclesPerWarp * Out.WarpsPerCycle);
  return -1;
}

TEST(CountedCycles, AtomicsOfOtherBlocksAreSeenOnTheirWayOnly) {
  Operation Op;
  Op.Block = 0;
  Op.Emits = {Emission{InstClass::AtomShared}};
  MemoryAccess A;
  A.Op = 0;
  A.Space = MemorySpace::Shared;
  A.Kind = AccessKind::Atomic;
  AccessProfile P = access(32, 32);
  P.OtherBlocksSectorsPerRequest = 32;
  EXPECT_NEAR(countedShare(Resource::Cluster, Op, &A, P), 0.5, 1e-6);
  A.Kind = AccessKind::Load;
  EXPECT_NEAR(countedShare(Resource::Cluster, Op, &A, P), 1, 1e-6);
}

TEST(CountedCycles, NoPipeCountsVotes) {
  Operation Op;
  Op.Block = 0;
  Op.Emits = {Emission{InstClass::Vote}};
  EXPECT_EQ(countedShare(Resource::Alu, Op, nullptr, {}), 0);
  Op.Emits = {Emission{InstClass::IAdd3}};
  EXPECT_NEAR(countedShare(Resource::Alu, Op, nullptr, {}), 1, 1e-6);
}

} // namespace
