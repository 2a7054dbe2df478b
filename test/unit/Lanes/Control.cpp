//===- Control.cpp - Divergence, loops and launch edges -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/Support/Compiler.h"
#include "gtest/gtest.h"
#include <ctime>

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

ExecutionProfile profile(FactsBuilder &B, const Launch &L,
                         const LanesOptions &Options = LanesOptions()) {
  return profileLanes(B.finish(), L, MemoryGeometry(), Options);
}

const Dim3 Line{256, 1, 1};

TEST(Branches, GuardDivergesInOneWarpOfTheGrid) {
  // if (i < 1000) in 4 blocks of 256: lanes 8..31 of the last warp leave.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand I = B.globalX();
  Operand N = B.integer("n");
  B.when(B.compare(ComparePredicate::LTS, I, N),
         [&] { B.store(MemorySpace::Global, B.element(A, I, 4), 4); });
  Launch L = launch({4, 1, 1}, Line);
  setArgument(L, 1, 1000);
  ExecutionProfile P = profile(B, L);
  EXPECT_EQ(P.Branches[0].Class, BranchClass::Guard);
  EXPECT_DOUBLE_EQ(P.Branches[0].DivergentFraction, 1 / 32.0);
  EXPECT_DOUBLE_EQ(P.Branches[0].TakenLaneFraction, 1000 / 1024.0);
  EXPECT_EQ(P.Branches[0].Exact, Exactness::Exact);
  EXPECT_DOUBLE_EQ(P.Accesses[0].ExecutionsPerWarp, 1.0);
  EXPECT_DOUBLE_EQ(P.Accesses[0].ActiveLanes, (31 * 32 + 8) / 32.0);
}

TEST(Loops, CountersThatAreOneBehindAreCounters) {
  // for (k = 0, next = 1; next < n; k = next++) for (j = next; j < n; ++j):
  // nvcc keeps both of k and k + 1.
  constexpr int64_t N = 5000;
  FactsBuilder B;
  const Operand A = B.pointer("a"), End = B.integer("n");
  const uint32_t Pre = B.current(), Head = B.newBlock();
  B.jump(Pre, Head);
  const Operand K = B.phi(B.imm(0), Pre), Next = B.phi(B.imm(1), Pre);
  B.loop(Next, End, B.imm(1), [&](Operand J) {
    B.store(MemorySpace::Global, B.element(A, B.add(K, J), 4), 4);
  });
  const Operand After = B.add(Next, B.imm(1));
  const uint32_t Latch = B.current();
  B.addIncoming(K, Next, Latch);
  B.addIncoming(Next, After, Latch);
  const Operand Stay = B.compare(ComparePredicate::LTS, After, End);
  const uint32_t Exit = B.newBlock();
  B.branch(Latch, Stay, Head, Exit);
  Launch L = launch({1, 1, 1}, {32, 1, 1});
  setArgument(L, 1, N);
  const ExecutionProfile P = profile(B, L);
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, N * (N - 1) / 2.0,
              0.02 * N * N / 2);
}

TEST(Branches, UnreachedCodeIsDescribedOnlyWhereAskedFor) {
  // if (n == 7), of an argument that is taken for another.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand I = B.globalX();
  Operand N = B.integer("n");
  B.store(MemorySpace::Global, B.element(A, I, 4), 4);
  B.when(B.compare(ComparePredicate::EQ, N, B.imm(7)),
         [&] { B.store(MemorySpace::Global, B.element(A, I, 4), 4); });
  const KernelFacts Facts = B.finish();
  const Launch L = launch({4, 1, 1}, Line);
  LanesOptions WithoutLook;
  WithoutLook.DescribesUnreached = false;
  const ExecutionProfile P =
      profileLanes(Facts, L, MemoryGeometry(), LanesOptions());
  const ExecutionProfile Other =
      profileLanes(Facts, L, MemoryGeometry(), WithoutLook);
  EXPECT_EQ(P.Accesses[1].RequestsPerWarp, 0);
  EXPECT_EQ(P.Accesses[1].SectorsPerRequest, 4);
  EXPECT_EQ(Other.Accesses[1].RequestsPerWarp, 0);
  EXPECT_EQ(Other.Accesses[1].SectorsPerRequest, 0);
  EXPECT_TRUE(P.Accesses[0] == Other.Accesses[0]);
  EXPECT_TRUE(P.Blocks == Other.Blocks);
}

TEST(Branches, WarpUniformIsNotDivergent) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  Operand Warp = B.op(Semantics::ShrU, 32, {T, B.imm(5)});
  B.when(B.compare(ComparePredicate::LTS, Warp, B.imm(2)),
         [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_EQ(P.Branches[0].Class, BranchClass::WarpUniform);
  EXPECT_EQ(P.Branches[0].DivergentFraction, 0);
  EXPECT_DOUBLE_EQ(P.Accesses[0].ExecutionsPerWarp, 0.25);
}

TEST(Branches, UniformOnAnArgument) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand N = B.integer("n");
  B.when(B.compare(ComparePredicate::GTS, N, B.imm(0)),
         [&] { B.store(MemorySpace::Global, B.element(A, B.tidX(), 4), 4); });
  Launch L = launch({4, 1, 1}, Line);
  setArgument(L, 1, 5);
  ExecutionProfile P = profile(B, L);
  EXPECT_EQ(P.Branches[0].Class, BranchClass::Uniform);
  EXPECT_EQ(P.Branches[0].Exact, Exactness::Exact);
}

TEST(Branches, PartialFractionIsExact) {
  // if (tid < 16): one warp of eight diverges.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  B.when(B.compare(ComparePredicate::LTU, T, B.imm(16)),
         [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  ExecutionProfile P = profile(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.Branches[0].Class, BranchClass::Partial);
  EXPECT_DOUBLE_EQ(P.Branches[0].DivergentFraction, 0.125);
  EXPECT_DOUBLE_EQ(P.Accesses[0].ActiveLanes, 16);
}

TEST(Branches, OddLanesDivergeAlways) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  Operand Odd = B.op(Semantics::And, 32, {T, B.imm(1)});
  B.when(B.compare(ComparePredicate::NE, Odd, B.imm(0)),
         [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  ExecutionProfile P = profile(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.Branches[0].Class, BranchClass::Divergent);
  EXPECT_EQ(P.Branches[0].DivergentFraction, 1);
  // Lanes meet again behind the branch.
  EXPECT_DOUBLE_EQ(P.Blocks[2].ActiveLaneFraction, 1);
  EXPECT_DOUBLE_EQ(P.Blocks[2].ExecutionsPerWarp, 1);
}

TEST(Branches, LoadedConditionIsNamed) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  Operand V = B.load(MemorySpace::Global, B.element(A, T, 4), 4);
  B.when(B.compare(ComparePredicate::NE, V, B.imm(0)),
         [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  ExecutionProfile P = profile(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.Branches[0].Class, BranchClass::DataDependent);
  EXPECT_EQ(P.Branches[0].Exact, Exactness::DataDependent);
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact);
  EXPECT_EQ(P.Accesses[1].Exact, Exactness::DataDependent);
  ExecutionProfile Again = profile(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P, Again);
}

TEST(Branches, ExitOfSomeLanes) {
  // if (tid >= 40) return; a[tid] = ...
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  Operand Leave = B.compare(ComparePredicate::GES, T, B.imm(40));
  uint32_t Entry = B.current();
  uint32_t Rest = B.newBlock();
  B.branch(Entry, Leave, NoIndex, Rest);
  B.store(MemorySpace::Global, B.element(A, T, 4), 4);
  ExecutionProfile P = profile(B, launch({1, 1, 1}, Line));
  EXPECT_DOUBLE_EQ(P.Accesses[0].ExecutionsPerWarp, 2 / 8.0);
  EXPECT_DOUBLE_EQ(P.Accesses[0].ActiveLanes, 20);
}

TEST(Branches, BranchesToTheEndArePredicatedExits) {
  // if (tid < 40) a[tid] = ...; return: the assembler makes the branch an exit,
  // and 6 of 8 warps execute no other.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  Operand Leave = B.compare(ComparePredicate::GES, T, B.imm(40));
  uint32_t Entry = B.current();
  uint32_t Rest = B.newBlock();
  B.store(MemorySpace::Global, B.element(A, T, 4), 4);
  uint32_t End = B.newBlock();
  Operation Exit;
  Exit.Emits.push_back({InstClass::Exit, 1, 1});
  Exit.Block = End;
  B.Facts.Operations.push_back(Exit);
  ++B.Facts.Blocks[End].NumOps;
  B.branch(Entry, Leave, End, Rest);
  B.jump(Rest, End);
  ExecutionProfile P = profile(B, launch({1, 1, 1}, Line));
  EXPECT_DOUBLE_EQ(P.Blocks[Entry].ExecutionsPerWarp, 1);
  EXPECT_DOUBLE_EQ(P.Blocks[End].ExecutionsPerWarp, 2 / 8.0);
}

TEST(Branches, ValuesOfBothSidesMeet) {
  // i = odd ? t : t + 32; a[i]
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  Operand Odd = B.compare(ComparePredicate::NE,
                          B.op(Semantics::And, 32, {T, B.imm(1)}), B.imm(0));
  uint32_t Entry = B.current();
  uint32_t Side = B.newBlock();
  Operand Far = B.add(T, B.imm(32));
  uint32_t Join = B.newBlock();
  B.branch(Entry, Odd, Join, Side);
  B.jump(Side, Join);
  Operand I = B.phi(T, Entry);
  B.addIncoming(I, Far, Side);
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  ExecutionProfile P = profile(B, launch({1, 1, 1}, {32, 1, 1}));
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 8);
  EXPECT_EQ(P.Accesses[0].ActiveLanes, 32);
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact);
}

TEST(Branches, SwitchByIndex) {
  FactsBuilder B;
  Operand T = B.tidX();
  Operand Which = B.op(Semantics::And, 32, {T, B.imm(3)});
  uint32_t Entry = B.current();
  std::vector<uint32_t> Cases;
  for (unsigned I = 0; I < 4; ++I)
    Cases.push_back(B.newBlock());
  uint32_t Join = B.newBlock();
  for (uint32_t C : Cases)
    B.jump(C, Join);
  Branch Switch;
  Switch.Block = Entry;
  Switch.Indexed = true;
  Switch.Condition = Which;
  Switch.Targets.assign(Cases.begin(), Cases.end());
  B.Facts.Blocks[Entry].Branch = 0;
  B.Facts.Branches.push_back(Switch);
  B.Facts.Blocks[Entry].Successors.assign(Cases.begin(), Cases.end());
  ExecutionProfile P = profile(B, launch({1, 1, 1}, {32, 1, 1}));
  EXPECT_EQ(P.Branches[0].DivergentFraction, 1);
  for (uint32_t C : Cases)
    EXPECT_DOUBLE_EQ(P.Blocks[C].ActiveLaneFraction, 0.25);
  EXPECT_DOUBLE_EQ(P.Blocks[Join].ActiveLaneFraction, 1);
}

TEST(Loops, CountedLoopIsExactHoweverLong) {
  for (int64_t N : {1, 2, 3, 18, 19, 1000, 1'000'000}) {
    FactsBuilder B;
    Operand A = B.pointer("a");
    Operand End = B.integer("n");
    B.loop(B.imm(0), End, B.imm(1), [&](Operand I) {
      B.load(MemorySpace::Global,
             B.element(A, B.mad(I, B.imm(32), B.tidX()), 4), 4);
    });
    Launch L = launch({1, 1, 1}, {32, 1, 1});
    setArgument(L, 1, N);
    ExecutionProfile P = profile(B, L);
    EXPECT_NEAR(P.Loops[0].TripCount, double(N), 1e-6 * double(N)) << N;
    EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, double(N), 1e-6 * double(N));
    EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 4);
    EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact) << N;
    EXPECT_NEAR(P.Blocks[1].ExecutionsPerWarp, double(N), 1e-6 * double(N));
    EXPECT_NEAR(P.Blocks[2].ExecutionsPerWarp, 1, 1e-9);
  }
}

TEST(Loops, DownCountingAndNotEqual) {
  FactsBuilder B;
  B.loop(
      B.imm(1000), B.imm(0), B.imm(-4), [](Operand) {}, ComparePredicate::NE);
  EXPECT_NEAR(profile(B, launch({1, 1, 1}, Line)).Loops[0].TripCount, 250,
              1e-6);
}

TEST(Loops, NestedLoopsMultiply) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.loop(B.imm(0), B.imm(100), B.imm(1), [&](Operand I) {
    B.loop(B.imm(0), B.imm(200), B.imm(1), [&](Operand J) {
      B.load(MemorySpace::Global, B.element(A, B.mad(I, B.imm(256), J), 4), 4);
    });
  });
  ExecutionProfile P = profile(B, launch({1, 1, 1}, Line));
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 20000, 1e-3);
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 1);
}

TEST(Loops, TriangularInTheOuterCounter) {
  // for i < 64: for j < i + 1
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.loop(B.imm(0), B.imm(64), B.imm(1), [&](Operand I) {
    Operand End = B.add(I, B.imm(1));
    B.loop(B.imm(0), End, B.imm(1), [&](Operand J) {
      B.load(MemorySpace::Global, B.element(A, J, 4), 4);
    });
  });
  ExecutionProfile P = profile(B, launch({1, 1, 1}, Line));
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 64 * 65 / 2, 64 * 65 / 2 * 0.05);
}

TEST(Loops, LanesWithDifferentTripCounts) {
  // for (j = 0; j < 10 * (lane + 1); ++j)
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  Operand End = B.mul(B.add(T, B.imm(1)), B.imm(10));
  B.loop(B.imm(0), End, B.imm(1), [&](Operand J) {
    B.load(MemorySpace::Global, B.element(A, J, 4), 4);
  });
  ExecutionProfile P = profile(B, launch({1, 1, 1}, {32, 1, 1}));
  EXPECT_NEAR(P.Loops[0].TripCount, 320, 1e-6);
  EXPECT_NEAR(P.Loops[0].LaneBalance, 165.0 / 320, 1e-6);
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 320, 1e-6);
  EXPECT_NEAR(P.Accesses[0].ActiveLanes, 16.5, 1e-6);
  EXPECT_NEAR(P.Blocks[2].ActiveLaneFraction, 1, 1e-9);
}

TEST(Loops, ReductionHalvesItsLanes) {
  // for (s = 128; s > 0; s >>= 1) if (t < s) x[t] += x[t + s]
  FactsBuilder B;
  Operand X = B.shared("x", 1024);
  Operand T = B.tidX();
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand S = B.phi(B.imm(128), Pre);
  B.when(B.compare(ComparePredicate::LTU, T, S),
         [&] { B.load(MemorySpace::Shared, B.element(X, B.add(T, S), 4), 4); });
  Operand Next = B.op(Semantics::ShrU, 32, {S, B.imm(1)});
  Operand Stay = B.compare(ComparePredicate::GTU, S, B.imm(1));
  uint32_t Latch = B.current();
  B.addIncoming(S, Next, Latch);
  uint32_t Exit = B.newBlock();
  B.branch(Latch, Stay, Head, Exit);
  ExecutionProfile P = profile(B, launch({64, 1, 1}, Line));
  EXPECT_DOUBLE_EQ(P.Loops[0].TripCount, 8);
  // Warps: 4 + 2 + 1 with all lanes, then 5 executions of the first warp.
  EXPECT_DOUBLE_EQ(P.Accesses[0].ExecutionsPerWarp, 12 / 8.0);
  EXPECT_NEAR(P.Branches[0].DivergentFraction, 5 / 64.0, 1e-9);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
}

TEST(Loops, EarlyExitKeepsTheBound) {
  // for (i = 0; i < 100; ++i) if (a[i] == 0) break;
  FactsBuilder B;
  Operand A = B.pointer("a");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(B.imm(0), Pre);
  Operand V = B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  Operand Stop = B.compare(ComparePredicate::EQ, V, B.imm(0));
  uint32_t Latch = B.newBlock();
  Operand Next = B.add(I, B.imm(1));
  Operand Stay = B.compare(ComparePredicate::LTS, Next, B.imm(100));
  B.addIncoming(I, Next, Latch);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stop, Exit, Latch);
  B.branch(Latch, Stay, Head, Exit);
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_NEAR(P.Loops[0].TripCount, 100, 1e-6);
  EXPECT_NE(P.Loops[0].Exact, Exactness::Exact);
  EXPECT_EQ(P.Loops[0].Basis, TripBasis::AtMost);
}

TEST(Loops, LanesThatMeetAtTheHeaderKeepTheirTurns) {
  // for (i = 0; i < 100; ++i) { a[i]; if (i % 4 == tid % 4 && ++c == 2) break;
  // } where lanes that hit come to the end of the turn before the others.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Own = B.op(Semantics::And, 32, {B.tidX(), B.imm(3)});
  const uint32_t Pre = B.current();
  const uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(B.imm(0), Pre);
  Operand C = B.phi(B.imm(0), Pre);
  B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  Operand Hit = B.compare(ComparePredicate::EQ,
                          B.op(Semantics::And, 32, {I, B.imm(3)}), Own);
  const uint32_t Then = B.newBlock();
  Operand More = B.add(C, B.imm(1));
  Operand Leaves = B.compare(ComparePredicate::EQ, More, B.imm(2));
  const uint32_t Latch = B.newBlock();
  Operand Now = B.phi(C, Head);
  B.addIncoming(Now, More, Then);
  Operand Next = B.add(I, B.imm(1));
  B.addIncoming(I, Next, Latch);
  B.addIncoming(C, Now, Latch);
  Operand Goes = B.compare(ComparePredicate::LTS, Next, B.imm(100));
  const uint32_t End = B.newBlock();
  B.branch(Head, Hit, Then, Latch);
  B.branch(Then, Leaves, End, Latch);
  B.branch(Latch, Goes, Head, End);
  const ExecutionProfile P = profile(B, launch({1, 1, 1}, {32, 1, 1}));
  // A quarter of the lanes leaves in each of the turns 4 to 7.
  EXPECT_DOUBLE_EQ(P.Accesses[0].ExecutionsPerWarp, 8);
  EXPECT_DOUBLE_EQ(P.Accesses[0].SectorsPerRequest, 1);
  // Twice in the first four turns; in the last no lane is left.
  EXPECT_DOUBLE_EQ(P.Blocks[Latch].ExecutionsPerWarp, 8 + 3);
}

TEST(Loops, DataDecidesTheTripCount) {
  // do { v = next[v]; } while (v != 0)
  auto Build = [](FactsBuilder &B) {
    Operand A = B.pointer("next");
    uint32_t Pre = B.current();
    uint32_t Head = B.newBlock();
    B.jump(Pre, Head);
    Operand V = B.phi(B.tidX(), Pre);
    B.Facts.Operations[V.Index].Operands[0] = B.imm(1);
    Operand Next = B.load(MemorySpace::Global, B.element(A, V, 4), 4);
    Operand Stay = B.compare(ComparePredicate::NE, Next, B.imm(0));
    B.addIncoming(V, Next, Head);
    uint32_t Exit = B.newBlock();
    B.branch(Head, Stay, Head, Exit);
  };
  FactsBuilder B;
  Build(B);
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_NEAR(P.Loops[0].TripCount, LanesOptions().DefaultTripCount, 1e-6);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::DataDependent);
  EXPECT_EQ(P.Loops[0].Basis, TripBasis::Guessed);
  ASSERT_EQ(P.Assumptions.size(), 1u);

  FactsBuilder C;
  Build(C);
  C.Facts.Locations.edit().push_back({{{"dir/a.cu", 34, 1, "k"}}});
  KernelFacts F = C.finish();
  F.Loops[0].Location = 0;
  Launch L = launch({4, 1, 1}, Line);
  L.TripCounts["a.cu:34"] = {1000, "test"};
  P = profileLanes(F, L, MemoryGeometry(), LanesOptions());
  EXPECT_NEAR(P.Loops[0].TripCount, 1000, 1e-6);
}

TEST(Loops, BoundsThatDataChoosesAreThoseOfItsChoice) {
  // n = a[tid] < 7 ? 1000000 : 3, by a branch; for (i = 0; i < n; ++i) ...
  auto Bounded = [](bool ByData) {
    FactsBuilder B;
    Operand A = B.pointer("a"), T = B.tidX();
    Operand V = ByData ? B.load(MemorySpace::Global, B.element(A, T, 4), 4)
                       : B.sreg(SpecialReg::CtaIdX);
    Operand IsSmall = B.compare(ComparePredicate::LTS, V, B.imm(7));
    uint32_t Before = B.current();
    uint32_t Then = B.newBlock();
    uint32_t After = B.newBlock();
    B.branch(Before, IsSmall, Then, After);
    B.jump(Then, After);
    Operand N = B.phi(B.imm(3), Before);
    B.addIncoming(N, B.imm(1000000), Then);
    B.loop(B.imm(0), N, B.imm(1), [&](Operand I) {
      B.load(MemorySpace::Global, B.element(A, I, 4), 4);
    });
    return profile(B, launch({1, 1, 1}, Line));
  };
  ExecutionProfile P = Bounded(true);
  EXPECT_NEAR(P.Loops[0].TripCount, 1000000, 1);
  EXPECT_LT(P.Loops[0].LaneBalance, 0.9);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::DataDependent);
  EXPECT_NEAR(Bounded(false).Loops[0].TripCount, 1000000, 1);
}

TEST(Loops, SearchesThatDataSteersHalveTheirInterval) {
  // while (lo < hi) a[lo + hi] < 7 ? lo = mid + 1 : hi = mid;
  FactsBuilder B;
  Operand A = B.pointer("a");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand Low = B.phi(B.imm(0), Pre), High = B.phi(B.imm(1 << 20), Pre);
  Operand Middle = B.op(Semantics::ShrU, 32, {B.add(Low, High), B.imm(1)});
  Operand V = B.load(MemorySpace::Global, B.element(A, Middle, 4), 4);
  Operand IsBelow = B.compare(ComparePredicate::LTS, V, B.imm(7));
  uint32_t Up = B.newBlock();
  Operand Next = B.add(Middle, B.imm(1));
  uint32_t Latch = B.newBlock();
  B.branch(Head, IsBelow, Up, Latch);
  B.jump(Up, Latch);
  Operand NewLow = B.phi(Low, Head), NewHigh = B.phi(Middle, Head);
  B.addIncoming(NewLow, Next, Up);
  B.addIncoming(NewHigh, High, Up);
  B.addIncoming(Low, NewLow, Latch);
  B.addIncoming(High, NewHigh, Latch);
  Operand Stay = B.compare(ComparePredicate::LTS, NewLow, NewHigh);
  uint32_t Exit = B.newBlock();
  B.branch(Latch, Stay, Head, Exit);
  ExecutionProfile P = profile(B, launch({1, 1, 1}, Line));
  EXPECT_NEAR(P.Loops[0].TripCount, 20, 1);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::DataDependent);
  EXPECT_TRUE(P.Assumptions.empty());
}

TEST(Loops, SearchesBySelectionsHalveTheirInterval) {
  // As before, with lo = below ? mid + 1 : lo and hi = below ? hi : mid.
  FactsBuilder B;
  Operand A = B.pointer("a");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand Low = B.phi(B.imm(0), Pre), High = B.phi(B.imm(1 << 20), Pre);
  Operand Middle = B.op(Semantics::ShrU, 32, {B.add(Low, High), B.imm(1)});
  Operand V = B.load(MemorySpace::Global, B.element(A, Middle, 4), 4);
  Operand IsBelow = B.compare(ComparePredicate::LTS, V, B.imm(7));
  Operand Next = B.add(Middle, B.imm(1));
  Operand NewLow = B.op(Semantics::Select, 32, {Next, Low, IsBelow});
  Operand NewHigh = B.op(Semantics::Select, 32, {High, Middle, IsBelow});
  B.addIncoming(Low, NewLow, Head);
  B.addIncoming(High, NewHigh, Head);
  Operand Stay = B.compare(ComparePredicate::LTS, NewLow, NewHigh);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
  ExecutionProfile P = profile(B, launch({1, 1, 1}, Line));
  EXPECT_NEAR(P.Loops[0].TripCount, 20, 1);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::DataDependent);
  EXPECT_TRUE(P.Assumptions.empty());
}

TEST(Loops, ThreadsThatTakeTurnsHaveFewerOfThem) {
  // for (k = 0; k < a[0]; k += Step) ...
  auto Turns = [](std::optional<int64_t> Step, Dim3 Block) {
    FactsBuilder B;
    Operand A = B.pointer("a");
    Operand End = B.load(MemorySpace::Global, A, 4);
    Operand By = Step ? B.imm(*Step) : B.sreg(SpecialReg::NTidX);
    B.loop(B.imm(0), End, By, [&](Operand I) {
      B.load(MemorySpace::Global, B.element(A, I, 4), 4);
    });
    return profile(B, launch({4, 1, 1}, Block)).Loops[0].TripCount;
  };
  const double Alone = LanesOptions().DefaultTripCount;
  EXPECT_NEAR(Turns(1, {64, 1, 1}), Alone, 1e-6);
  EXPECT_NEAR(Turns(4, {64, 1, 1}), Alone, 1e-6);
  EXPECT_NEAR(Turns(32, {64, 1, 1}), Alone / 8, 1e-6);
  EXPECT_NEAR(Turns(std::nullopt, {32, 1, 1}), Alone / 8, 1e-6);
  EXPECT_NEAR(Turns(std::nullopt, {256, 1, 1}), 1, 1e-6);
}

TEST(Loops, OneConditionOfTwoBoundsALoop) {
  // do ...; while (a[i] < 7 & ++i < tid), in one condition.
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.tidX();
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(B.imm(0), Pre);
  Operand V = B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  Operand IsBelow = B.compare(ComparePredicate::LTS, V, B.imm(7));
  Operand Next = B.add(I, B.imm(1));
  B.addIncoming(I, Next, Head);
  Operand Bounded = B.compare(ComparePredicate::LTS, Next, T);
  Operand Leave =
      B.op(Semantics::Not, 1, {B.op(Semantics::And, 1, {IsBelow, Bounded})});
  uint32_t Exit = B.newBlock();
  B.branch(Head, Leave, Exit, Head);
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  // The longest lanes of the eight warps go on for 31, 63, ... 255.
  EXPECT_NEAR(P.Loops[0].TripCount, (31 + 255) / 2.0, 1e-6);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::DataDependent);
  EXPECT_TRUE(P.Assumptions.empty());
}

TEST(Loops, FlagsThatDataSetsAreAssumed) {
  // do { done = a[i++] < 7; } while (!done), with the flag chosen by a branch.
  FactsBuilder B;
  Operand A = B.pointer("a");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(B.imm(0), Pre);
  Operand V = B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  Operand IsBelow = B.compare(ComparePredicate::LTS, V, B.imm(7));
  uint32_t Found = B.newBlock();
  uint32_t Latch = B.newBlock();
  B.branch(Head, IsBelow, Found, Latch);
  B.jump(Found, Latch);
  Operand Done = B.phi(B.imm(0), Head);
  B.addIncoming(Done, B.imm(1), Found);
  Operand Next = B.add(I, B.imm(1));
  B.addIncoming(I, Next, Latch);
  Operand Stay = B.compare(ComparePredicate::EQ, Done, B.imm(0));
  uint32_t Exit = B.newBlock();
  B.branch(Latch, Stay, Head, Exit);
  ExecutionProfile P = profile(B, launch({1, 1, 1}, Line));
  EXPECT_NEAR(P.Loops[0].TripCount, LanesOptions().DefaultTripCount, 1e-6);
  EXPECT_EQ(P.Assumptions.size(), 1u);
}

/// do { s = a[i++] < 7 ? State : 0; } while (s == 0), with s of \p Bits bits
/// chosen by a branch.
template <typename MakeState>
ExecutionProfile loopUntilState(unsigned Bits, MakeState State) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(B.imm(0), Pre);
  Operand V = B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  Operand IsBelow = B.compare(ComparePredicate::LTS, V, B.imm(7));
  uint32_t Found = B.newBlock();
  Operand S = State(B);
  uint32_t Latch = B.newBlock();
  B.branch(Head, IsBelow, Found, Latch);
  B.jump(Found, Latch);
  Operand Now = B.phi(B.imm(0), Head, Bits);
  B.addIncoming(Now, S, Found);
  Operand Next = B.add(I, B.imm(1));
  B.addIncoming(I, Next, Latch);
  Operand Stay = B.compare(ComparePredicate::EQ, Now, B.imm(0), Bits);
  uint32_t Exit = B.newBlock();
  B.branch(Latch, Stay, Head, Exit);
  return profile(B, launch({1, 1, 1}, Line));
}

TEST(Loops, FlagsMayBeChosenByKnownConditions) {
  // The state is one of two, whatever the condition is made of.
  ExecutionProfile P = loopUntilState(1, [](FactsBuilder &B) {
    Operand Number = B.add(B.sreg(SpecialReg::CtaIdX), B.imm(3));
    Operand IsLow = B.compare(ComparePredicate::LTS, Number, B.imm(7));
    return B.op(Semantics::Select, 1, {B.imm(1), B.imm(0), IsLow});
  });
  EXPECT_NEAR(P.Loops[0].TripCount, LanesOptions().DefaultTripCount, 1e-6);
}

TEST(Loops, NumbersThatAreChosenAreNoFlags) {
  // The state is a number of the block or 1, chosen by an argument.
  ExecutionProfile P = loopUntilState(1, [](FactsBuilder &B) {
    Operand Number = B.add(B.sreg(SpecialReg::CtaIdX), B.imm(3));
    return B.op(Semantics::Select, 1, {Number, B.imm(1), B.integer("by")});
  });
  EXPECT_NE(P.Loops[0].TripCount, LanesOptions().DefaultTripCount);
}

TEST(Loops, UnequalDataEndsAComparisonSoon) {
  // for (i = 0; i < 100; ++i) if (a[i] != b[i]) break;
  FactsBuilder B;
  Operand A = B.pointer("a"), Other = B.pointer("b");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(B.imm(0), Pre);
  Operand V = B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  Operand W = B.load(MemorySpace::Global, B.element(Other, I, 4), 4);
  Operand Stop = B.compare(ComparePredicate::NE, V, W);
  uint32_t Latch = B.newBlock();
  Operand Next = B.add(I, B.imm(1));
  Operand Stay = B.compare(ComparePredicate::LTS, Next, B.imm(100));
  B.addIncoming(I, Next, Latch);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stop, Exit, Latch);
  B.branch(Latch, Stay, Head, Exit);
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_NEAR(P.Loops[0].TripCount, 1, 1e-6);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::DataDependent);
}

TEST(Loops, DataSpreadsTripCountsOverLanes) {
  // do { v = next[v]; } while (v != 0), from another start in each lane.
  FactsBuilder B;
  Operand A = B.pointer("next");
  Operand T = B.tidX();
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand V = B.phi(T, Pre);
  Operand Next = B.load(MemorySpace::Global, B.element(A, V, 4), 4);
  Operand Stay = B.compare(ComparePredicate::NE, Next, B.imm(0));
  B.addIncoming(V, Next, Head);
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_NEAR(P.Loops[0].TripCount, 31, 1e-6);
  EXPECT_NEAR(P.Loops[0].TripCount * P.Loops[0].LaneBalance, 16, 0.1);
  EXPECT_NEAR(P.Blocks[2].ActiveLaneFraction, 1, 1e-9);
  EXPECT_GT(P.Branches[0].DivergentFraction, 0.9);
}

TEST(Loops, GridStride) {
  // for (i = gid; i < n; i += gridDim * blockDim)
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand N = B.integer("n");
  Operand I0 = B.globalX();
  Operand Step = B.mul(B.sreg(SpecialReg::NTidX), B.sreg(SpecialReg::NCtaIdX));
  B.loop(I0, N, Step, [&](Operand I) {
    B.load(MemorySpace::Global, B.element(A, I, 4), 4);
  });
  Launch L = launch({256, 1, 1}, Line);
  setArgument(L, 1, 33554432);
  ExecutionProfile P = profile(B, L);
  EXPECT_NEAR(P.Loops[0].TripCount, 512, 1e-6);
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 4);
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact);
}

TEST(Loops, UnknownTripCountLeavesTheLanePatternExact) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand N = B.integer("n");
  B.loop(B.imm(0), N, B.imm(1), [&](Operand I) {
    B.load(MemorySpace::Global, B.element(A, B.mad(I, B.imm(32), B.tidX()), 4),
           4);
  });
  ExecutionProfile P = profile(B, launch({8, 1, 1}, Line));
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Assumed);
}

TEST(Reach, WhatALaunchNeverExecutesIsExact) {
  // if (n == 7) with n = 8.
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.when(B.compare(ComparePredicate::EQ, B.integer("n"), B.imm(7)),
         [&] { B.store(MemorySpace::Global, B.element(A, B.tidX(), 4), 4); });
  Launch L = launch({4, 1, 1}, Line);
  setArgument(L, 1, 8);
  ExecutionProfile P = profile(B, L);
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 0);
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact);
  EXPECT_EQ(P.Accesses[0].Reason.find("this launch never gets there"), 0u)
      << P.Accesses[0].Reason;
}

TEST(Reach, WhatAnArgumentDecidesIsLookedAtAnyway) {
  // if (n == 7) a[2 * tid] = ...: nobody said n.
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.when(B.compare(ComparePredicate::EQ, B.integer("n"), B.imm(7)),
         [&] { B.store(MemorySpace::Global, B.element(A, B.tidX(), 8), 4); });
  B.store(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 0);
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Exact);
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 8);
  EXPECT_NE(P.Accesses[0].Reason.find("argument n"), std::string::npos)
      << P.Accesses[0].Reason;
  // What comes after is as if nobody had looked.
  EXPECT_EQ(P.Accesses[1].Exact, Exactness::Exact);
  EXPECT_EQ(P.Accesses[1].RequestsPerWarp, 1);
}

TEST(Reach, LanesThatAnArgumentChoosesAreNotExact) {
  // if (tid == n) with n taken as 2^20.
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.when(B.compare(ComparePredicate::EQ, B.tidX(), B.integer("n")),
         [&] { B.store(MemorySpace::Global, B.element(A, B.tidX(), 4), 4); });
  B.store(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  Launch L = launch({4, 1, 1}, Line);
  L.Grid = Known<Sourced<Dim3>>::unknown("nobody said");
  ExecutionProfile P = profile(B, L);
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 0);
  EXPECT_EQ(P.Accesses[0].Exact, Exactness::Assumed) << P.Accesses[0].Reason;
}

TEST(Reach, AnAssumedGridMayEndSoonerThanTheRealOne) {
  // if (blockIdx.x == 1 << 30) without a known grid.
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.when(B.compare(ComparePredicate::EQ, B.sreg(SpecialReg::CtaIdX),
                   B.imm(1 << 30)),
         [&] { B.store(MemorySpace::Global, B.element(A, B.tidX(), 4), 4); });
  B.store(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  Launch L = launch({4, 1, 1}, Line);
  L.Grid = Known<Sourced<Dim3>>::unknown("nobody said");
  ExecutionProfile P = profile(B, L);
  EXPECT_EQ(P.Accesses[0].Reason.find("no walked warp gets there"), 0u)
      << P.Accesses[0].Reason;
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 4);
}

TEST(Reach, NestedSidesAndLoopsAreSeenOnce) {
  // if (n == 7) { if (tid < 4) a[tid] else for (k < 100) a[32 * tid + k] }
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand T = B.tidX();
  B.when(B.compare(ComparePredicate::EQ, B.integer("n"), B.imm(7)), [&] {
    B.when(B.compare(ComparePredicate::EQ, B.integer("m"), B.imm(3)),
           [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
    B.loop(B.imm(0), B.imm(100), B.imm(1), [&](Operand K) {
      B.store(MemorySpace::Global, B.element(A, B.mad(T, B.imm(32), K), 4), 4);
    });
  });
  B.store(MemorySpace::Global, B.element(A, T, 4), 4);
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  ASSERT_EQ(P.Accesses.size(), 3u);
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 4);
  EXPECT_EQ(P.Accesses[1].SectorsPerRequest, 32);
  EXPECT_EQ(P.Accesses[1].RequestsPerWarp, 0);
  EXPECT_EQ(P.Accesses[2].RequestsPerWarp, 1);
}

TEST(Edges, UnknownStartIsZeroAndUnknownEndIsFar) {
  // i = start + gid; if (i < end) a[i]: with neither given, threads work.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Start = B.integer("start"), End = B.integer("end");
  Operand I = B.add(B.globalX(), Start);
  B.when(B.compare(ComparePredicate::LTS, I, End),
         [&] { B.store(MemorySpace::Global, B.element(A, I, 4), 4); });
  ExecutionProfile P = profile(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 1);
  ASSERT_EQ(P.Assumptions.size(), 2u);
  EXPECT_EQ(P.Assumptions[0].What, "argument start");
  EXPECT_EQ(P.Assumptions[0].Taken, "0");
  EXPECT_EQ(P.Assumptions[1].Taken, "16384");
}

TEST(Edges, UnknownBoundsLetSomeoneIn) {
  // if (k < i && i < n) a[i]: n = k would leave nothing to see.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand N = B.integer("n"), K = B.integer("k");
  Operand I = B.globalX();
  B.when(B.compare(ComparePredicate::LTS, I, N), [&] {
    B.when(B.compare(ComparePredicate::LTS, K, I),
           [&] { B.store(MemorySpace::Global, B.element(A, I, 4), 4); });
  });
  ExecutionProfile P = profile(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 1);
  ASSERT_EQ(P.Assumptions.size(), 2u);
  EXPECT_EQ(P.Assumptions[1].What, "argument k");
  EXPECT_EQ(P.Assumptions[1].Taken, "0");
}

TEST(Edges, FactorsAreNoStarts) {
  // if (i > 0 && i * k == 0) a[i]: with k = 0 all would get there, but nothing
  // says that k is where something begins.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand I = B.globalX(), K = B.integer("k");
  Operand Product = B.op(Semantics::Mul, 32, {I, K});
  B.when(B.op(Semantics::And, 1,
              {B.compare(ComparePredicate::GTS, I, B.imm(0)),
               B.compare(ComparePredicate::EQ, Product, B.imm(0))}),
         [&] { B.store(MemorySpace::Global, B.element(A, I, 4), 4); });
  ExecutionProfile P = profile(B, launch({64, 1, 1}, Line));
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 0);
  ASSERT_FALSE(P.Assumptions.empty());
  EXPECT_EQ(P.Assumptions[0].What, "argument k");
  EXPECT_EQ(P.Assumptions[0].Taken, "16384");
}

TEST(Edges, StencilOfALargeGridIsCountedByItsEdges) {
  // if (x > 0 && x < n - 1 && y > 0 && y < n - 1), 4096 x 4096, 32x8 blocks.
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand X = B.globalX(), Y = B.globalY();
  auto Both = [&](Operand P, Operand Q) {
    return B.op(Semantics::And, 1, {P, Q});
  };
  Operand Inside = Both(Both(B.compare(ComparePredicate::GTS, X, B.imm(0)),
                             B.compare(ComparePredicate::LTS, X, B.imm(4095))),
                        Both(B.compare(ComparePredicate::GTS, Y, B.imm(0)),
                             B.compare(ComparePredicate::LTS, Y, B.imm(4095))));
  B.when(Inside, [&] {
    B.load(MemorySpace::Global, B.element(A, B.mad(Y, B.imm(4096), X), 4), 4,
           -4);
  });
  ExecutionProfile P = profile(B, launch({128, 512, 1}, {32, 8, 1}));
  // Two of 4096 warp rows are outside.
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 4094.0 / 4096, 1e-9);
  EXPECT_NEAR(P.Branches[0].DivergentFraction, 2.0 / 128 * 4094 / 4096, 1e-9);
  EXPECT_EQ(P.Branches[0].Class, BranchClass::Guard);
  // Measured on an H200: 4.992 (the first warp of a row has its first lane
  // off, so it starts at a sector).
  EXPECT_NEAR(P.Accesses[0].SectorsPerRequest, 5 - 1.0 / 128, 1e-9);
}

TEST(Effort, HundredThousandOperationsInUnderTwoSeconds) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand N = B.integer("n");
  Operand I = B.globalX();
  B.when(B.compare(ComparePredicate::LTS, I, N), [&] {
    Operand Index = I;
    while (B.Facts.Operations.size() < 100'000) {
      Index = B.op(Semantics::Xor, 32, {Index, B.imm(5)});
      Index = B.add(Index, N);
      Operand Where = B.op(Semantics::And, 32, {Index, B.imm(0xfffff)});
      Operand V = B.load(MemorySpace::Global, B.element(A, Where, 4), 4);
      B.opaque({V});
    }
  });
  KernelFacts F = B.finish();
  MemoryGeometry G;
  G.L1Bytes = 256 << 10;
  G.L2Bytes = 60 << 20;
  G.SmCount = 132;
  G.ResidentBlocksPerSm = 8;
  Launch L = launch({4096, 1, 1}, Line);
  setArgument(L, 1, 1 << 20);
  // Of this process: the machine may have other work. Sanitizers take longer.
  constexpr double MostSeconds = LLVM_ADDRESS_SANITIZER_BUILD ? 20 : 2;
  std::clock_t Start = std::clock();
  profileLanes(F, L, G, LanesOptions());
  EXPECT_LT(double(std::clock() - Start) / CLOCKS_PER_SEC, MostSeconds);
}

TEST(Malformed, IndicesOutOfRangeDoNotCrash) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  B.load(MemorySpace::Global, B.element(A, Operand::value(9999), 4), 4);
  KernelFacts F = B.finish();
  F.Blocks[0].Successors = {77};
  F.Branches.emplace_back();
  F.Blocks[0].Branch = 0;
  profileLanes(F, launch({1, 1, 1}, Line), MemoryGeometry(), LanesOptions());
  profileLanes(KernelFacts(), Launch(), MemoryGeometry(), LanesOptions());
}

/// if ((block & 15) >= Least(block)) a[tid]; in a grid of a power of two.
template <typename F> ExecutionProfile profileByLowBits(F Least) {
  FactsBuilder B;
  Operand A = B.pointer("a");
  Operand Block = B.sreg(SpecialReg::CtaIdX);
  Operand Low = B.op(Semantics::And, 32, {Block, B.imm(15)});
  B.when(B.compare(ComparePredicate::GES, Low, Least(B, Block)),
         [&] { B.load(MemorySpace::Global, B.element(A, B.tidX(), 4), 4); });
  return profileLanes(B.finish(), launch({1 << 20, 1, 1}, {64, 1, 1}),
                      MemoryGeometry(), LanesOptions());
}

TEST(Cells, BlocksThatDifferByTheirLowBitsAreNotMissed) {
  // A triangle: below it are 136 of 256 pairs of four bits.
  ExecutionProfile P = profileByLowBits([](FactsBuilder &B, Operand Block) {
    Operand Next = B.op(Semantics::ShrU, 32, {Block, B.imm(4)});
    return B.op(Semantics::And, 32, {Next, B.imm(15)});
  });
  EXPECT_NEAR(P.Accesses[0].ExecutionsPerWarp, 136.0 / 256, 0.1);
}

TEST(Cells, BlocksThatAreAlikeAreExact) {
  ExecutionProfile P =
      profileByLowBits([](FactsBuilder &B, Operand) { return B.imm(0); });
  EXPECT_EQ(P.Accesses[0].ExecutionsPerWarp, 1);
  EXPECT_EQ(P.Branches[0].Exact, Exactness::Exact);
}

} // namespace
