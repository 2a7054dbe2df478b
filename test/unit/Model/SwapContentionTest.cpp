//===- SwapContentionTest.cpp - Loops of compare-and-swap -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/SwapContention.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpuocc;

namespace {

DeviceModel device() {
  DeviceModel D;
  D.Name = "made-up";
  D.Architecture = "sm_90";
  D.Quantities[Quantity::SmCount].Value = 100;
  D.Quantities[Quantity::L1SectorBytes].Value = 32;
  D.Quantities[Quantity::AtomicGlobalLatency].Value = 600;
  return D;
}

/// do { Seen = Old; Old = atomicCAS(&Place, Seen, ...); } while (Old != Seen);
/// between an entry and an exit.
struct SwapLoop {
  KernelFacts F;
  ExecutionProfile P;

  explicit SwapLoop(double Sectors) {
    F.Blocks.resize(3);
    F.Blocks[0].Successors = {1};
    F.Blocks[1].Successors = {1, 2};
    F.Blocks[1].Loop = 0;
    F.Loops.resize(1);
    F.Loops[0].Header = 1;
    F.Loops[0].Blocks = {1};
    // 0: the content, 1: the swap, 2: the test.
    F.Operations.resize(3);
    F.Operations[0].What = Semantics::Phi;
    F.Operations[0].Operands = {Operand::value(1)};
    F.Operations[1].Operands = {Operand::immediate(0), Operand::value(0)};
    F.Operations[1].Access = 0;
    F.Operations[2].What = Semantics::Compare;
    F.Operations[2].Compare = ComparePredicate::NE;
    F.Operations[2].Operands = {Operand::value(1), Operand::value(0)};
    for (Operation &Op : F.Operations)
      Op.Block = 1;
    MemoryAccess A;
    A.Op = 1;
    A.Space = MemorySpace::Global;
    A.Kind = AccessKind::Atomic;
    A.AtomicOp = "cas";
    A.BytesPerLane = 8;
    F.Accesses.push_back(A);
    P.Blocks = {{1, 1}, {1, 1}, {1, 1}};
    AccessProfile Of;
    Of.ExecutionsPerWarp = Of.RequestsPerWarp = 1;
    Of.GridSectors = Sectors;
    Of.GridSpanBytes = Sectors * 32;
    P.Accesses.push_back(Of);
  }

  SwapContention contention(double WarpsPerSm) const {
    const DeviceModel D = device();
    Numbers N(D);
    return swapContention(F, 0, P, WarpsPerSm, N);
  }
};

} // namespace

TEST(SwapContention, WinsOfARoundGrowWithTheLogarithmOfItsThreads) {
  // 100 SMs of 32 warps: 102,400 threads on 100 sectors of four words.
  const SwapContention C = SwapLoop(100).contention(32);
  const double Wins = 0.3 * std::log(102400.0 / 400);
  EXPECT_NEAR(C.TimesRequests, 102400.0 / 400 / 2 / Wins, 1e-9);
  // Each of the 32 lanes' words changes hands as often in 600 cycles.
  EXPECT_NEAR(C.HandOverCycles, 32 * 100 * 600 / Wins / 400, 1e-9);
}

TEST(SwapContention, TriesOfAnH100) {
  // Threads on a word, all resident, and tries of each: cas-loops.csv of
  // 2026-11-25 (words in turn) and atomics.csv of 2026-11-27 (words drawn).
  struct {
    double Threads, Tries;
  } Measured[] = {{16.5, 9.6}, {64, 22},     {132, 40},
                  {273, 70},   {528, 161},   {1024, 256},
                  {2112, 480}, {4224, 1206}, {16384, 2537}};
  for (const auto &M : Measured) {
    // 100 SMs of as many warps on one sector of four words.
    const double Warps = M.Threads * 4 / 32 / 100;
    const double Ratio = SwapLoop(1).contention(Warps).TimesRequests / M.Tries;
    EXPECT_GT(Ratio, 1 / 1.6) << M.Threads;
    EXPECT_LT(Ratio, 1.6) << M.Threads;
  }
}

TEST(SwapContention, ManyWordsAreSeldomMet) {
  const SwapContention C = SwapLoop(1e6).contention(32);
  EXPECT_EQ(C.TimesRequests, 1);
  EXPECT_EQ(C.HandOverCycles, 0);
}

TEST(SwapContention, SectorsApartHoldAWordEach) {
  SwapLoop L(100);
  L.P.Accesses[0].GridSpanBytes = 1e6;
  EXPECT_NEAR(L.contention(32).TimesRequests,
              102400.0 / 100 / 2 / (0.3 * std::log(1024.0)), 1e-9);
}

TEST(SwapContention, WhoLeavesForAnotherReasonDoesNotTryAgain) {
  SwapLoop L(100);
  // A second block of the loop that leads out of it: nothing left to do.
  L.F.Blocks.resize(4);
  L.F.Blocks[1].Successors = {3, 2};
  L.F.Blocks[3].Successors = {1, 2};
  L.F.Blocks[3].Loop = 0;
  L.F.Loops[0].Blocks = {1, 3};
  L.P.Blocks.push_back({1, 1});
  EXPECT_EQ(L.contention(32).TimesRequests, 1);
}

TEST(SwapContention, OtherAtomicsAreNoLoops) {
  SwapLoop L(100);
  L.F.Accesses[0].AtomicOp = "add";
  EXPECT_EQ(L.contention(32).TimesRequests, 1);
}
