//===- Atomics.cpp - Lanes and warps that meet on an address --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Lanes/FactsBuilder.h"
#include "gpuocc/Caches/EstimateCaches.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

ExecutionProfile profile(const KernelFacts &F, unsigned Threads = 256,
                         const LanesOptions &Options = {}) {
  return profileLaunch(F, launch({64, 1, 1}, {Threads, 1, 1}), MemoryGeometry(),
                       Options);
}

TEST(Atomics, GridMeetsOnTheSectorsItReaches) {
  // atomicAdd(&a[threadIdx.x], v): 256 words of 64 blocks.
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.atomic(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  ExecutionProfile P = profile(B.finish());
  EXPECT_EQ(P.Accesses[0].GridSectors, Known<double>(32));
  EXPECT_EQ(P.Accesses[0].GridSpanBytes, Known<double>(1024));
  EXPECT_EQ(P.Accesses[0].LanesPerAddress, 1);
  EXPECT_EQ(P.Accesses[0].ActiveLanes, 32);
}

/// atomicAdd(&a[threadIdx.x + 256 i], v) four times, by copies of a statement
/// or, if not \p OfOne, by statements of their own; in one array or in four.
ExecutionProfile unrolled(bool OfOne, bool OneArray) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  for (unsigned I = 0; I != 4; ++I) {
    const Operand In = OneArray ? A : B.pointer("b");
    const Operand At = B.add(B.tidX(), FactsBuilder::imm(256 * I));
    B.atomic(MemorySpace::Global, B.element(In, At, 4), 4);
  }
  KernelFacts F = B.finish();
  F.Locations.edit().resize(4);
  for (unsigned I = 0; I != 4; ++I) {
    F.Locations.edit()[I].Places = {{"a.cu", I + 1, 1, "f"}};
    F.Operations[F.Accesses[I].Op].Location = OfOne ? 0 : I;
  }
  return profile(F);
}

TEST(Atomics, CopiesOfAnUnrolledLoopShareTheirArray) {
  const ExecutionProfile P = unrolled(/*OfOne=*/true, /*OneArray=*/true);
  for (const AccessProfile &A : P.Accesses) {
    EXPECT_EQ(A.GridSectors, Known<double>(128));
    EXPECT_EQ(A.GridSpanBytes, Known<double>(4096));
  }
  EXPECT_EQ(unrolled(true, false).Accesses[3].GridSectors, Known<double>(32));
  EXPECT_EQ(unrolled(false, true).Accesses[3].GridSectors, Known<double>(32));
}

TEST(Stores, ThoseBehindLoadsMeetOnTheirSector) {
  // *flag = 1, by warps that have waited and by warps that have not.
  for (const bool HasWaited : {true, false}) {
    FactsBuilder B;
    Operand A = B.pointer("a"), Flag = B.pointer("flag");
    if (HasWaited)
      B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4);
    B.store(MemorySpace::Global, Flag, 4);
    const ExecutionProfile P = profile(B.finish());
    if (HasWaited)
      EXPECT_EQ(P.Accesses[1].GridSectors, Known<double>(1));
    else
      EXPECT_FALSE(P.Accesses[0].GridSectors);
  }
}

TEST(Loads, BlocksThatRunTogetherReadFewSectors) {
  // a[globalX] and c[threadIdx.x] on one SM that holds eight blocks at a time.
  FactsBuilder B;
  Operand A = B.pointer("a"), C = B.pointer("c");
  B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4);
  B.load(MemorySpace::Global, B.element(C, B.tidX(), 4), 4);
  MemoryGeometry G;
  G.SmCount = 1;
  G.ResidentBlocksPerSm = 8;
  const ExecutionProfile P = profileLaunch(
      B.finish(), launch({64, 1, 1}, {256, 1, 1}), G, LanesOptions());
  EXPECT_EQ(P.Accesses[0].WaveSectors, Known<double>(8 * 256 * 4 / 32));
  EXPECT_EQ(P.Accesses[1].WaveSectors, Known<double>(256 * 4 / 32));
  EXPECT_EQ(P.Accesses[1].WaveSpanBytes, Known<double>(1024));
  EXPECT_FALSE(P.Accesses[1].GridSectors);
}

TEST(Atomics, OneLaneActsForTheWarp) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.atomic(MemorySpace::Global, A, 4);
  KernelFacts F = B.finish();
  ExecutionProfile Apart = profile(F);
  EXPECT_EQ(Apart.Accesses[0].LanesPerAddress, 32);
  F.Accesses[0].Combining = LaneCombining::OneLane;
  ExecutionProfile P = profile(F);
  EXPECT_EQ(P.Accesses[0].ActiveLanes, 1);
  EXPECT_EQ(P.Accesses[0].LanesPerAddress, 1);
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 1);
  EXPECT_EQ(P.Accesses[0].GridSectors, Known<double>(1));
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 1);
}

TEST(Atomics, CountedLanesDoNotWait) {
  FactsBuilder B;
  Operand S = B.shared("bins", 128);
  B.atomic(MemorySpace::Shared, S, 4);
  KernelFacts F = B.finish();
  F.Accesses[0].Combining = LaneCombining::ByAddress;
  ExecutionProfile P = profile(F);
  EXPECT_EQ(P.Accesses[0].ActiveLanes, 32);
  EXPECT_EQ(P.Accesses[0].LanesPerAddress, 1);
  EXPECT_EQ(P.Accesses[0].WavefrontsPerRequest, 1);
}

/// atomicAdd(&a[Index(loaded value)], v).
template <typename IndexOf>
ExecutionProfile scattered(IndexOf Index,
                           Launch L = launch({64, 1, 1}, {256, 1, 1}),
                           MemorySpace Space = MemorySpace::Global) {
  FactsBuilder B;
  Operand In = B.pointer("in");
  Operand A =
      Space == MemorySpace::Shared ? B.shared("a", 1 << 15) : B.pointer("a");
  Operand V = B.load(MemorySpace::Global, B.element(In, B.globalX(), 4), 4);
  B.atomic(Space, B.element(A, Index(B, V), 4), 4);
  KernelFacts F = B.finish();
  F.Place = {"dir/a.cu", 9, 1, "k"};
  F.Locations.edit().push_back(
      {{{"atomics.h", 1, 1, "add"}, {"dir/a.cu", 17, 1, "k"}}});
  F.Operations[F.Accesses[1].Op].Location = 0;
  return profileLaunch(F, L, MemoryGeometry(), LanesOptions());
}

TEST(Atomics, LoadedIndicesReachAsManyWordsAsTheGridHasThreads) {
  ExecutionProfile P = scattered([](FactsBuilder &, Operand V) { return V; });
  const AccessProfile &A = P.Accesses[1];
  ASSERT_TRUE(A.DrawnAddresses);
  EXPECT_NEAR(*A.DrawnAddresses, 64 * 256, 0.02 * 64 * 256);
  EXPECT_NEAR(*A.GridSectors, 64 * 256 / 8, 0.02 * 64 * 256);
}

TEST(Atomics, GridStridesReachMoreElements) {
  FactsBuilder B;
  Operand In = B.pointer("in"), A = B.pointer("a");
  B.loop(B.globalX(), B.imm(100 * 64 * 256), B.imm(64 * 256), [&](Operand I) {
    Operand V = B.load(MemorySpace::Global, B.element(In, I, 4), 4);
    B.atomic(MemorySpace::Global, B.element(A, V, 4), 4);
  });
  ExecutionProfile P =
      profileLaunch(B.finish(), launch({64, 1, 1}, {256, 1, 1}),
                    MemoryGeometry(), LanesOptions());
  ASSERT_TRUE(P.Accesses[1].DrawnAddresses);
  EXPECT_NEAR(*P.Accesses[1].DrawnAddresses, 100 * 64 * 256,
              0.02 * 100 * 64 * 256);
}

TEST(Atomics, MasksLeaveFewWords) {
  ExecutionProfile P = scattered([](FactsBuilder &B, Operand V) {
    return B.op(Semantics::And, 32, {V, B.imm(63)});
  });
  const AccessProfile &A = P.Accesses[1];
  EXPECT_EQ(A.DrawnAddresses, Known<double>(64));
  EXPECT_EQ(A.GridSectors, Known<double>(8));
  EXPECT_EQ(A.GridSpanBytes, Known<double>(256));
  // 32 lanes on 64 words: the most on one of them, and the most on one word
  // of each sector, are 2.73 and 13.1 in the mean.
  EXPECT_NEAR(A.LanesPerAddress, 2.73, 0.15);
  EXPECT_NEAR(A.SerializedPasses, 13.1, 0.4);
  auto IsAbout = [](const Assumption &A) {
    return A.What == "data-dependent address at a.cu:17" &&
           A.Taken == "uniform over 64 places" && !A.HowToSupply.empty();
  };
  EXPECT_EQ(std::count_if(P.Assumptions.begin(), P.Assumptions.end(), IsAbout),
            1);
}

TEST(Atomics, RemaindersShiftsAndMinimaLeaveFewWords) {
  auto Places = [](Semantics What, int64_t With) {
    return *scattered([&](FactsBuilder &B, Operand V) {
              return B.op(What, 32, {V, B.imm(With)});
            })
                .Accesses[1]
                .DrawnAddresses;
  };
  EXPECT_EQ(Places(Semantics::RemU, 100), 100);
  EXPECT_EQ(Places(Semantics::ShrU, 8), 64);
  EXPECT_EQ(Places(Semantics::MinS, 99), 100);
  EXPECT_EQ(Places(Semantics::MinU, 9), 10);
}

TEST(Atomics, MinimaDoNotPileUpAtTheBound) {
  ExecutionProfile P = scattered([](FactsBuilder &B, Operand V) {
    return B.op(Semantics::MinS, 32, {V, B.imm(1023)});
  });
  EXPECT_LT(P.Accesses[1].LanesPerAddress, 2);
}

TEST(Atomics, LaunchesSayHowManyWords) {
  Launch L = launch({64, 1, 1}, {256, 1, 1});
  L.DistinctAddresses["a.cu:17"] = {16, "test"};
  ExecutionProfile P =
      scattered([](FactsBuilder &, Operand V) { return V; }, L);
  EXPECT_EQ(P.Accesses[1].DrawnAddresses, Known<double>(16));
  for (const Assumption &A : P.Assumptions)
    EXPECT_EQ(A.What.find("data-dependent"), std::string::npos);
}

TEST(Atomics, LanesOfABankTakeTurns) {
  ExecutionProfile P = scattered(
      [](FactsBuilder &B, Operand V) {
        return B.op(Semantics::And, 32, {V, B.imm(31 * 32)});
      },
      launch({64, 1, 1}, {256, 1, 1}), MemorySpace::Shared);
  EXPECT_EQ(P.Accesses[1].SerializedPasses, 32);
}

TEST(Atomics, LanesThatTryAgainFailTogether) {
  FactsBuilder B;
  B.atomic(MemorySpace::Shared, B.shared("sum", 4), 4);
  KernelFacts F = B.finish();
  EXPECT_EQ(profile(F).Accesses[0].SerializedPasses, 32);
  F.Accesses[0].Combining = LaneCombining::Retried;
  EXPECT_EQ(profile(F).Accesses[0].SerializedPasses, 2);
}

/// Old = sum[Index]; do { Seen = Old; Old = atomicCAS(&sum[Index], Seen,
/// f(Seen)); } while (Old != Seen), or with a constant in place of Seen.
/// \returns the block that is repeated.
uint32_t addSwapLoop(FactsBuilder &B, int64_t Mask, bool ForConstant = false) {
  Operand Sum = B.shared("sum", 1024);
  Operand Index = B.op(Semantics::And, 32, {B.tidX(), B.imm(Mask)});
  Operand At = B.element(Sum, Index, 4);
  Operand Old = B.load(MemorySpace::Shared, At, 4);
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand Phi = B.phi(Old, Pre);
  Operand Seen = ForConstant ? B.imm(7) : Phi;
  Operand Next = B.opaque({Phi});
  Operand Swap = B.atomic(MemorySpace::Shared, At, 4);
  B.Facts.Operations[Swap.Index].Operands = {At, Seen, Next};
  B.Facts.Accesses.back().AtomicOp = "cas";
  B.addIncoming(Phi, Swap, Head);
  Operand Again = B.compare(ComparePredicate::NE, Swap, Seen);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Again, Head, Exit);
  return Head;
}

KernelFacts swapLoop(int64_t Mask, bool ForConstant = false) {
  FactsBuilder B;
  addSwapLoop(B, Mask, ForConstant);
  return B.finish();
}

double turnsOf(const KernelFacts &F, unsigned Threads) {
  return profile(F, Threads).Blocks[1].ExecutionsPerWarp;
}

TEST(Atomics, LanesOfAWordSwapOneATurn) {
  EXPECT_EQ(turnsOf(swapLoop(31), 32), 1);
  EXPECT_EQ(turnsOf(swapLoop(7), 32), 4);
  EXPECT_EQ(turnsOf(swapLoop(0), 32), 32);
}

TEST(Atomics, WarpsOfABlockLoseTurnsToEachOther) {
  // Each success costs 1, 1 + 32 / 33 and so on: 4.4 in the mean of 8 warps.
  EXPECT_NEAR(turnsOf(swapLoop(0), 256), 32 * (1 + 3.5 * 32 / 33), 1);
  // Words of their own.
  EXPECT_EQ(turnsOf(swapLoop(255), 256), 1);
}

TEST(Atomics, WarpsThatWaitForMemoryMeetLess) {
  // Two lanes on a word, eight warps, eight times.
  auto TurnsOf = [](bool Loads) {
    FactsBuilder B;
    Operand X = B.pointer("x");
    uint32_t Head = 0;
    B.loop(B.imm(0), B.imm(8), B.imm(1), [&](Operand I) {
      if (Loads)
        B.load(MemorySpace::Global, B.element(X, I, 4), 4);
      Head = addSwapLoop(B, 15);
    });
    return profile(B.finish(), 256).Blocks[Head].ExecutionsPerWarp / 8;
  };
  EXPECT_NEAR(TurnsOf(false), 2 * (1 + 3.5 * 2 / 3), 0.7);
  // S = 2 (1 + 2.33 S / (S + 9)).
  EXPECT_NEAR(TurnsOf(true), 3.2, 0.7);
}

TEST(Atomics, WarpsThatAreNotWalkedTakeTurnsToo) {
  // 32 warps, of which some stand for the others: 16 turns a success.
  LanesOptions Few;
  Few.MaxWarps = 12;
  const double Turns =
      profile(swapLoop(0), 1024, Few).Blocks[1].ExecutionsPerWarp;
  EXPECT_NEAR(Turns, 32 * (1 + 15.5 * 32 / 33), 32);
}

TEST(Atomics, TurnsOfOtherWarpsAreAGuess) {
  const std::vector<Assumption> Named = profile(swapLoop(0), 256).Assumptions;
  ASSERT_EQ(Named.size(), 1u);
  EXPECT_EQ(Named[0].GuessedBy, "swap-turns");
  EXPECT_EQ(Named[0].Taken, "0.5 for each other warp on the word");
  // Nothing is guessed of a warp that meets no other.
  EXPECT_TRUE(profile(swapLoop(0), 32).Assumptions.empty());
  EXPECT_TRUE(profile(swapLoop(255), 256).Assumptions.empty());
  LanesOptions Without;
  Without.Used.leaveOut(Mechanism::SwapTurns);
  const ExecutionProfile P = profile(swapLoop(0), 256, Without);
  EXPECT_EQ(P.Blocks[1].ExecutionsPerWarp, 32);
  EXPECT_TRUE(P.Assumptions.empty());
}

/// Old = max[x[i]]; do { Seen = Old; if (Seen is likely to be beyond mine)
/// break; Old = atomicCAS(&max[x[i]], Seen, Mine); } while (Old != Seen).
KernelFacts maximumLoop() {
  FactsBuilder B;
  Operand X =
      B.load(MemorySpace::Global, B.element(B.pointer("x"), B.globalX(), 4), 4);
  Operand At = B.element(B.pointer("max"), X, 4);
  Operand Old = B.load(MemorySpace::Global, At, 4);
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand Seen = B.phi(Old, Pre);
  Operand Beyond = B.opaque({Seen}, 1);
  uint32_t Body = B.newBlock();
  Operand Swap = B.atomic(MemorySpace::Global, At, 4);
  B.Facts.Operations[Swap.Index].Operands = {At, Seen, X};
  B.Facts.Accesses.back().AtomicOp = "cas";
  B.addIncoming(Seen, Swap, Body);
  Operand Again = B.compare(ComparePredicate::NE, Swap, Seen);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Beyond, Exit, Body);
  B.Facts.Branches.back().TakenPrior = 0.9;
  B.Facts.Branches.back().PriorReason = "few are beyond the rest";
  B.Facts.Branches.back().PriorBy = Mechanism::RecordProbability;
  B.branch(Body, Again, Head, Exit);
  return B.finish();
}

TEST(Atomics, ThreadsOfTheFirstWaveTryToSetAMaximum) {
  // Measured on an H100 (atomics.csv of 2026-11-27): 1.27 to 1.64 tries of
  // 262144 threads, who all start at once, 0.3 to 0.5 of 1048576.
  auto TriesOf = [](unsigned Blocks) {
    MemoryGeometry G;
    G.SmCount = 132;
    G.ResidentBlocksPerSm = 8;
    const ExecutionProfile P = profileLaunch(
        maximumLoop(), launch({Blocks, 1, 1}, {256, 1, 1}), G, LanesOptions());
    const AccessProfile &Swap = P.Accesses[2];
    return Swap.RequestsPerWarp * Swap.ActiveLanes / 32;
  };
  EXPECT_GT(TriesOf(1024), 0.95);
  EXPECT_LT(TriesOf(1024), 1.7);
  EXPECT_LT(TriesOf(4096), 0.7);
  EXPECT_GT(TriesOf(4096), 0.15);
}

TEST(Atomics, SwapsForAConstantFailForReasonsOfTheirOwn) {
  ExecutionProfile P = profile(swapLoop(31, true));
  EXPECT_EQ(P.Loops[0].Exact, Exactness::DataDependent);
  EXPECT_EQ(profile(swapLoop(31)).Loops[0].Exact, Exactness::Exact);
}

TEST(Atomics, LoadedConditionsLeaveTheAddressKnown) {
  FactsBuilder B;
  Operand In = B.pointer("in"), A = B.pointer("a");
  Operand V = B.load(MemorySpace::Global, B.element(In, B.tidX(), 4), 4);
  B.when(B.compare(ComparePredicate::LTS, V, B.imm(7)),
         [&] { B.atomic(MemorySpace::Global, A, 4); });
  ExecutionProfile P = profile(B.finish());
  EXPECT_EQ(P.Accesses[1].Exact, Exactness::DataDependent);
  EXPECT_FALSE(P.Accesses[1].DrawnAddresses);
  EXPECT_EQ(P.Accesses[1].GridSectors, Known<double>(1));
}

TEST(Atomics, AllWarpsOfABlockCount) {
  // The second warp goes farthest: atomicAdd(&a[min(threadIdx.x, 64)], v).
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Inside = B.op(Semantics::MinU, 32, {B.tidX(), B.imm(64)});
  B.atomic(MemorySpace::Global, B.element(A, Inside, 4), 4);
  ExecutionProfile P = profile(B.finish());
  EXPECT_EQ(P.Accesses[0].GridSpanBytes, Known<double>(65 * 4));
}

} // namespace
