//===- AtomicCostTest.cpp - What a global atomic costs L2 -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/AtomicCost.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;

namespace {

struct Form {
  const char *Op;
  bool OnFloats;
  unsigned Bytes;
};
constexpr Form AddU32 = {"add", false, 4}, AddF32 = {"add", true, 4},
               Cas32 = {"cas", false, 4}, AddU64 = {"add", false, 8},
               AddF64 = {"add", true, 8}, Cas64 = {"cas", false, 8};

/// All lanes of 32 warps on each SM of an H100, on so many neighbouring words
/// drawn anew each time: nanoseconds for each lane at 1.98 GHz
/// (calibration/results/nvidia-h100/2026-11-27T0212/atomics.csv, "random").
/// The turns and the lanes on one word are means over drawn requests.
struct Row {
  Form Of;
  double Words, Turns, OnOneWord, Ns;
};
constexpr Row Rows[] = {
    {AddU32, 1, 32, 32, 0.734},         {AddU32, 2, 18.2, 18.2, 0.419},
    {AddU32, 8, 7.03, 7.03, 0.161},     {AddU32, 32, 10.4, 3.54, 0.225},
    {AddU32, 60, 13.3, 2.78, 0.293},    {AddU32, 256, 22.2, 1.94, 0.259},
    {AddU32, 1000, 28.8, 1.4, 0.0874},  {AddU32, 4096, 31.2, 1.11, 0.0288},
    {AddF32, 1, 32, 32, 1.76},          {AddF32, 2, 18.2, 18.2, 1.003},
    {AddF32, 8, 7.03, 7.03, 0.388},     {AddF32, 32, 10.4, 3.54, 0.228},
    {AddF32, 60, 13.3, 2.78, 0.294},    {AddF32, 256, 22.2, 1.94, 0.259},
    {AddF32, 1000, 28.8, 1.4, 0.0878},  {AddF32, 4096, 31.2, 1.11, 0.0288},
    {Cas32, 1, 32, 32, 0.734},          {Cas32, 8, 7.03, 7.03, 0.235},
    {Cas32, 60, 13.3, 2.78, 0.459},     {Cas32, 256, 22.2, 1.94, 0.396},
    {Cas32, 1000, 28.8, 1.4, 0.109},    {Cas32, 4096, 31.2, 1.11, 0.0413},
    {AddU64, 1, 32, 32, 0.734},         {AddU64, 8, 12.2, 7.01, 0.262},
    {AddU64, 60, 19.6, 2.77, 0.231},    {AddU64, 256, 27.2, 1.93, 0.16},
    {AddU64, 1000, 30.6, 1.39, 0.0524}, {AddF64, 1, 32, 32, 1.759},
    {AddF64, 8, 12.2, 7.01, 0.466},     {AddF64, 32, 16.6, 3.52, 0.471},
    {AddF64, 60, 19.6, 2.77, 0.28},     {AddF64, 256, 27.2, 1.93, 0.162},
    {AddF64, 1000, 30.6, 1.39, 0.0523}, {Cas64, 1, 32, 32, 0.734},
    {Cas64, 8, 12.2, 7.01, 0.425},      {Cas64, 60, 19.6, 2.77, 0.362},
    {Cas64, 256, 27.2, 1.93, 0.221},    {Cas64, 1000, 30.6, 1.39, 0.0581},
};

double nsPerLane(const Row &R, const DeviceModel &D) {
  constexpr double Lanes = 32, SectorBytes = 32, GHz = 1.98;
  MemoryAccess A;
  A.Space = MemorySpace::Global;
  A.Kind = AccessKind::Reduction;
  A.AtomicOp = R.Of.Op;
  if (A.AtomicOp == "cas")
    A.Kind = AccessKind::Atomic;
  A.OnFloats = R.Of.OnFloats;
  A.BytesPerLane = R.Of.Bytes;
  AccessProfile P;
  P.SerializedPasses = R.Turns;
  P.LanesPerAddress = R.OnOneWord;
  P.GridSpanBytes = R.Words * R.Of.Bytes;
  P.GridSectors = std::ceil(R.Words * R.Of.Bytes / SectorBytes);
  Numbers N(D);
  const AtomicCycles C = atomicCycles(A, P, N);
  return std::max(C.Busy, C.OneByOne) / *D.get(Quantity::SmCount) / Lanes / GHz;
}

TEST(AtomicCost, RandomWordsOfAnH100) {
  llvm::Expected<DeviceModel> D = loadDevice("nvidia-h100");
  ASSERT_TRUE(bool(D));
  double Sum = 0;
  for (const Row &R : Rows) {
    const double Ratio = nsPerLane(R, *D) / R.Ns;
    EXPECT_GT(Ratio, 1 / 1.5) << R.Of.Op << R.Of.Bytes << ' ' << R.Words;
    EXPECT_LT(Ratio, 1.5) << R.Of.Op << R.Of.Bytes << ' ' << R.Words;
    Sum += std::abs(std::log(Ratio));
  }
  EXPECT_LT(std::exp(Sum / std::size(Rows)), 1.15);
}

TEST(AtomicCost, FewWordsTakeAsLongWhicheverSmsAsk) {
  // Lanes of a warp that all add to one word: its slice serves them one after
  // the other, for one SM as for all.
  llvm::Expected<DeviceModel> D = loadDevice("nvidia-h200");
  ASSERT_TRUE(bool(D));
  MemoryAccess A;
  A.Space = MemorySpace::Global;
  A.Kind = AccessKind::Reduction;
  A.AtomicOp = "add";
  A.BytesPerLane = 8;
  AccessProfile P;
  P.SerializedPasses = P.LanesPerAddress = 32;
  P.GridSectors = 1;
  P.GridSpanBytes = 8;
  Numbers N(*D);
  const AtomicCycles C = atomicCycles(A, P, N);
  EXPECT_GT(C.Busy, 10 * C.BusyInAllSlices);
  EXPECT_GT(C.BusyInAllSlices, 0);
  // 1024 threads of 4 blocks in a loop of compare-and-swap take 444 us (H200,
  // 2026-11-29), ten times what all slices at once would need.
  A.Kind = AccessKind::Atomic;
  A.AtomicOp = "cas";
  const AtomicCycles OfSwaps = atomicCycles(A, P, N);
  EXPECT_EQ(OfSwaps.Busy, OfSwaps.BusyInAllSlices);
}

TEST(AtomicCost, SlicesComeFromPiecesWhereNoTableSaysThem) {
  llvm::Expected<DeviceModel> D = loadDevice("nvidia-h100");
  ASSERT_TRUE(bool(D));
  D->Tables.erase("contended_global");
  for (const Row &R : Rows) {
    // 480 bytes are one piece by number, and lie in two.
    const double Ratio = nsPerLane(R, *D) / R.Ns;
    EXPECT_GT(Ratio, 1 / 2.2) << R.Of.Op << R.Of.Bytes << ' ' << R.Words;
    EXPECT_LT(Ratio, 2.2) << R.Of.Op << R.Of.Bytes << ' ' << R.Words;
  }
}

/// Nanoseconds for each lane of 80 blocks of 256 that pass over 4096 words of
/// \p Of, all lanes of a warp on one.
double nsOfSweep(Form Of, double ExecutionsPerWarp, bool IsInOrder = true) {
  llvm::Expected<DeviceModel> D = loadDevice("nvidia-h100");
  if (!D)
    return 0;
  MemoryAccess A;
  A.Space = MemorySpace::Global;
  A.Kind = AccessKind::Reduction;
  A.AtomicOp = Of.Op;
  A.OnFloats = Of.OnFloats;
  A.BytesPerLane = Of.Bytes;
  AccessProfile P;
  P.ExecutionsPerWarp = P.RequestsPerWarp = ExecutionsPerWarp;
  P.SectorsPerRequest = P.DistinctAddressesPerRequest = 1;
  P.SerializedPasses = P.LanesPerAddress = 32;
  P.IsInOrder = IsInOrder;
  P.GridSpanBytes = 4096.0 * Of.Bytes;
  P.GridSectors = *P.GridSpanBytes / 32;
  Numbers N(*D);
  const AtomicCycles C = atomicCycles(A, P, N);
  return std::max(C.Busy, C.OneByOne) / *D->get(Quantity::SmCount) / 32 / 1.98;
}

TEST(AtomicCost, WarpsThatSweepInStepMeetOnAQuarterOfTheWords) {
  // Measured with loads between, which take 0.0185 ns in all: 0.0707 and 0.107.
  EXPECT_NEAR(nsOfSweep(AddF64, 4096), 0.0707, 0.0707 / 4);
  EXPECT_NEAR(nsOfSweep(AddF32, 4096), 0.107, 0.107 / 4);
  // Four accesses of an unrolled loop visit each sector once.
  EXPECT_NEAR(nsOfSweep(AddF64, 1024), nsOfSweep(AddF64, 4096), 1e-9);
  // Who visits few of the words, draws them, or passes over them four times may
  // be anywhere.
  EXPECT_LT(nsOfSweep(AddF64, 400), 0.6 * nsOfSweep(AddF64, 4096));
  EXPECT_NEAR(nsOfSweep(AddF64, 4096, false), nsOfSweep(AddF64, 400), 1e-9);
  EXPECT_NEAR(nsOfSweep(AddF64, 4 * 4096), nsOfSweep(AddF64, 400), 1e-9);
}

TEST(AtomicCost, CopiesOfAnUnrolledLoopPassOverTheirArray) {
  // 1024 doubles 256 bytes apart by 32 copies, all lanes of 264 blocks of 256
  // on one: 0.0302 ns each. All of them reach what the caches say of each.
  llvm::Expected<DeviceModel> D = loadDevice("nvidia-h100");
  ASSERT_TRUE(bool(D));
  constexpr unsigned Copies = 32;
  KernelFacts F;
  ExecutionProfile P;
  F.Blocks.resize(1);
  for (unsigned I = 0; I != Copies; ++I) {
    F.Operations.emplace_back().Block = 0;
    MemoryAccess A;
    A.Op = I;
    A.Space = MemorySpace::Global;
    A.Kind = AccessKind::Reduction;
    A.AtomicOp = "add";
    A.OnFloats = true;
    A.BytesPerLane = 8;
    A.Base = Operand::symbol(0);
    A.OffsetBytes = I * 256;
    F.Accesses.push_back(A);
    AccessProfile &Of = P.Accesses.emplace_back();
    Of.ExecutionsPerWarp = Of.RequestsPerWarp = 32;
    Of.SectorsPerRequest = Of.DistinctAddressesPerRequest = 1;
    Of.SerializedPasses = Of.LanesPerAddress = 32;
    Of.GridSectors = 1024;
    Of.GridSpanBytes = 1023 * 256 + 8;
  }
  Numbers N(*D);
  auto NsPerLane = [&] {
    const AtomicCycles C = atomicCycles(F, P, 5, N);
    return std::max(C.Busy, C.OneByOne) / *D->get(Quantity::SmCount) / 32 /
           1.98;
  };
  const double Together = NsPerLane();
  EXPECT_GT(Together, 0.0302 / 1.5);
  EXPECT_LT(Together, 0.0302 * 1.5);
  // Who visits a few of the words only may be anywhere among them.
  for (unsigned I = 0; I != Copies; ++I)
    F.Accesses[I].Base = Operand::symbol(I);
  EXPECT_LT(NsPerLane(), 0.9 * Together);
}

} // namespace
