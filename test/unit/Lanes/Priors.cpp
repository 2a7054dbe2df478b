//===- Priors.cpp - Conditions and arguments that nobody knows ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <tuple>

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

const Dim3 Line{256, 1, 1};

/// `if (Condition(a[tid])) b[tid] = ...` with elements of \p Bytes; the share
/// of warps that store, and of lanes in them.
template <typename MakeCondition>
std::pair<double, double> storesIf(unsigned Bytes, MakeCondition Condition) {
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.globalX();
  Operand V = B.load(MemorySpace::Global, B.element(A, T, Bytes), Bytes);
  B.when(Condition(B, V),
         [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  ExecutionProfile P = profileLanes(B.finish(), launch({64, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  return {P.Accesses[1].ExecutionsPerWarp, P.Accesses[1].ActiveLanes / 32};
}

auto compareWith(ComparePredicate P, int64_t Value) {
  return [=](FactsBuilder &B, Operand V) {
    return B.compare(P, V, FactsBuilder::imm(Value));
  };
}

/// Each thread loads a number and stores where it is less than 77: a branch
/// that loaded data decides.
static KernelFacts storesSomeLoaded() {
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.globalX();
  Operand V = B.load(MemorySpace::Global, B.element(A, T, 4), 4);
  B.when(B.compare(ComparePredicate::LTS, V, FactsBuilder::imm(77)),
         [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  return B.finish();
}

TEST(Priors, LaunchesSayTheProbability) {
  KernelFacts F = storesSomeLoaded();
  // The branch is at line 5 and the store at line 6.
  F.Locations.edit().resize(2);
  F.Locations.edit()[0].Places = {{"a.cu", 5, 1, "k"}};
  F.Locations.edit()[1].Places = {{"a.cu", 6, 1, "k"}};
  F.Branches[0].Op = F.Branches[0].Condition.Index;
  F.Operations[F.Branches[0].Op].Location = 0;
  F.Operations[F.Accesses[1].Op].Location = 1;
  Launch L = launch({64, 1, 1}, Line);
  auto Profile = [&] {
    return profileLanes(F, L, MemoryGeometry(), LanesOptions());
  };
  auto IsOfBranch = [](const Assumption &A) {
    return A.What == "share of the branch at a.cu:5 that goes on to line 6" &&
           A.HowToSupply == "odds in the configuration";
  };
  EXPECT_EQ(llvm::count_if(Profile().Assumptions, IsOfBranch), 1);
  for (double Probability : {0.0, 0.25, 1.0}) {
    L.BranchProbabilities["a.cu:5"] = {Probability, "test"};
    const ExecutionProfile P = Profile();
    EXPECT_EQ(P.Accesses[1].RequestsPerWarp * P.Accesses[1].ActiveLanes / 32,
              Probability);
    EXPECT_EQ(llvm::count_if(P.Assumptions, IsOfBranch), 0);
  }
}

TEST(Priors, ProbabilitiesOfWholeBlocksSplitTheGrid) {
  // if (flag[blockIdx.x] < 77) a[tid] = ...
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.globalX();
  Operand V = B.load(MemorySpace::Global,
                     B.element(A, B.sreg(SpecialReg::CtaIdX), 4), 4);
  B.when(B.compare(ComparePredicate::LTS, V, FactsBuilder::imm(77)),
         [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  KernelFacts F = B.finish();
  F.Locations.edit().resize(2);
  F.Locations.edit()[0].Places = {{"a.cu", 5, 1, "k"}};
  F.Locations.edit()[1].Places = {{"a.cu", 6, 1, "k"}};
  F.Branches[0].Op = F.Branches[0].Condition.Index;
  F.Operations[F.Branches[0].Op].Location = 0;
  F.Operations[F.Accesses[1].Op].Location = 1;
  Launch L = launch({4096, 1, 1}, Line);
  for (double Probability : {0.0, 0.01, 0.25, 0.4, 0.99, 1.0}) {
    L.BranchProbabilities["a.cu:5"] = {Probability, "test"};
    const ExecutionProfile P =
        profileLanes(F, L, MemoryGeometry(), LanesOptions());
    EXPECT_NEAR(P.Accesses[1].ExecutionsPerWarp, Probability, 1e-6)
        << Probability;
    // A block goes one way with all of its warps.
    for (const WarpSample &S : P.Samples)
      EXPECT_TRUE(S.BlockExecutions[1] == 0 || S.BlockExecutions[1] == 1);
  }
}

/// do { x = load *flag } while (x == 0), \p Volatile or not; turns. With
/// \p Bound no more than so many.
static double pollTurns(bool Volatile, bool Moves = false, bool Written = false,
                        bool IsMember = false, int64_t Bound = 0) {
  FactsBuilder B;
  Operand Flag = IsMember ? B.integer("flag", 8) : B.pointer("flag");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(B.imm(0), Pre);
  Operand X =
      B.load(MemorySpace::Global, Moves ? B.element(Flag, I, 4) : Flag, 4);
  B.Facts.Accesses.back().Volatile = Volatile;
  Operand Next = B.add(I, B.imm(1));
  Operand Stay = B.compare(ComparePredicate::EQ, X, B.imm(7));
  uint32_t Back = Head;
  Operand IsInside = B.compare(ComparePredicate::LTS, Next, B.imm(Bound));
  if (Bound)
    Back = B.newBlock();
  B.addIncoming(I, Next, Back);
  uint32_t Exit = B.newBlock();
  if (Bound)
    B.branch(Back, IsInside, Head, Exit);
  B.branch(Head, Stay, Bound ? Back : Head, Exit);
  if (Written)
    B.store(MemorySpace::Global, B.element(Flag, B.tidX(), 4), 4);
  LanesOptions Options;
  Options.Used.leaveOut(Mechanism::CompareProbability);
  const ExecutionProfile P = profileLanes(B.finish(), launch({64, 1, 1}, Line),
                                          MemoryGeometry(), Options);
  EXPECT_EQ(P.Assumptions.size(), IsMember ? 2u : 1u);
  return P.Loops[0].TripCount;
}

TEST(Priors, LoopsThatPollEndAtOnce) {
  EXPECT_EQ(pollTurns(true), 1);
  // Others repeat, and so do those that look at one word after the other.
  EXPECT_EQ(pollTurns(false), LanesOptions().DefaultTripCount);
  EXPECT_EQ(pollTurns(true, /*Moves=*/true), LanesOptions().DefaultTripCount);
}

/// while (*(Table + Slot) != 7) Slot = (Slot + 1) & mask, by loads or (\p
/// Swaps) compare-and-swaps; turns. Without \p Wraps there is no mask.
static double probeTurns(bool Swaps, bool Wraps = true) {
  FactsBuilder B;
  const Operand Table = B.pointer("table"), Keys = B.pointer("keys");
  const Operand First =
      B.load(MemorySpace::Global, B.element(Keys, B.globalX(), 4), 4);
  const uint32_t Pre = B.current(), Head = B.newBlock();
  B.jump(Pre, Head);
  const Operand Slot = B.phi(First, Pre);
  const Operand At = B.element(Table, Slot, 4);
  const Operand X = Swaps ? B.atomic(MemorySpace::Global, At, 4)
                          : B.load(MemorySpace::Global, At, 4);
  if (Swaps)
    B.Facts.Accesses.back().AtomicOp = "cas";
  Operand Next = B.add(Slot, FactsBuilder::imm(1));
  if (Wraps)
    Next = B.op(Semantics::And, 32, {Next, FactsBuilder::imm(0xffff)});
  const Operand Stay = B.compare(ComparePredicate::NE, X, FactsBuilder::imm(7));
  B.addIncoming(Slot, Next, Head);
  const uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
  LanesOptions Options;
  Options.Used.leaveOut(Mechanism::CompareProbability);
  return profileLanes(B.finish(), launch({64, 1, 1}, Line), MemoryGeometry(),
                      Options)
      .Loops[0]
      .TripCount;
}

TEST(Priors, TablesAreHalfFull) {
  // The longest of 32 lanes that go on with the chance 1/2, in the mean.
  // Lanes are spread over whole turns up to that.
  EXPECT_NEAR(probeTurns(/*Swaps=*/false), 6.35, 1.5);
  // While keys are put there, 1/4.
  EXPECT_NEAR(probeTurns(/*Swaps=*/true), 3.43, 1.5);
  EXPECT_GE(probeTurns(/*Swaps=*/false, /*Wraps=*/false),
            LanesOptions().DefaultTripCount);
}

/// if (vote of the threads with tid < 5) *a = v, by a vote at a barrier or by
/// something unknown of each thread; how often the lanes of a warp part.
static double partsBehindVote(bool AtBarrier) {
  FactsBuilder B;
  const Operand A = B.pointer("a");
  const Operand Vote = B.opaque(
      {B.compare(ComparePredicate::LTS, B.tidX(), FactsBuilder::imm(5))}, 1);
  if (AtBarrier)
    B.Facts.Operations[Vote.Index].Emits.push_back({InstClass::Barrier, 2, 2});
  const uint32_t Here = B.current(), Then = B.newBlock();
  B.store(MemorySpace::Global, A, 4);
  const uint32_t End = B.newBlock();
  B.branch(Here, Vote, Then, End);
  B.jump(Then, End);
  return profileLanes(B.finish(), launch({64, 1, 1}, Line), MemoryGeometry(),
                      LanesOptions())
      .Branches[0]
      .DivergentFraction;
}

/// if ((vote of the threads with *a == Value) ? 1 : 0) != 0) *a = v; how often
/// warps store.
static double storesBehindVote(int64_t Value) {
  FactsBuilder B;
  const Operand A = B.pointer("a");
  const Operand X =
      B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4);
  const Operand Vote = B.opaque(
      {B.compare(ComparePredicate::EQ, X, FactsBuilder::imm(Value))}, 1);
  B.Facts.Operations[Vote.Index].Emits.push_back({InstClass::Barrier, 2, 2});
  const Operand Flag = B.op(Semantics::Select, 32,
                            {FactsBuilder::imm(1), FactsBuilder::imm(0), Vote});
  const Operand IsSet =
      B.compare(ComparePredicate::NE, Flag, FactsBuilder::imm(0));
  const uint32_t Here = B.current(), Then = B.newBlock();
  B.store(MemorySpace::Global, A, 4);
  const uint32_t End = B.newBlock();
  B.branch(Here, IsSet, Then, End);
  B.jump(Then, End);
  return profileLanes(B.finish(), launch({64, 1, 1}, Line), MemoryGeometry(),
                      LanesOptions())
      .Accesses[1]
      .ExecutionsPerWarp;
}

TEST(Priors, BlocksSeldomVoteForWhatIsSeldom) {
  EXPECT_LT(storesBehindVote(7680), 0.2);
}

TEST(Priors, TheBlockAgreesAtABarrier) {
  EXPECT_EQ(partsBehindVote(/*AtBarrier=*/true), 0);
  EXPECT_GT(partsBehindVote(/*AtBarrier=*/false), 0.5);
}

TEST(Priors, BlocksThatLookBackFindASumAtOnce) {
  EXPECT_EQ(pollTurns(true, /*Moves=*/true, /*Written=*/true), 1);
  // The array is the only member of a struct.
  EXPECT_EQ(pollTurns(true, true, true, /*IsMember=*/true), 1);
  // They could go on up to the first block.
  EXPECT_EQ(pollTurns(true, true, true, false, /*Bound=*/100), 1);
  EXPECT_EQ(pollTurns(false, true, true, false, /*Bound=*/100), 100);
  EXPECT_EQ(pollTurns(false, /*Moves=*/true, /*Written=*/true),
            LanesOptions().DefaultTripCount);
}

TEST(Priors, RowsAreAsManyAsTheyHold) {
  // a[row[i / 64] * n + i % 64]: n words a row, of what 2^20 threads work on.
  FactsBuilder B;
  Operand A = B.pointer("a"), Row = B.pointer("row"), N = B.integer("n");
  Operand I = B.globalX();
  Operand R =
      B.load(MemorySpace::Global,
             B.element(Row, B.op(Semantics::ShrU, 32, {I, B.imm(6)}), 4), 4);
  Operand At = B.mad(R, N, B.op(Semantics::And, 32, {I, B.imm(63)}));
  B.load(MemorySpace::Global, B.element(A, At, 4), 4);
  Launch L = launch({4096, 1, 1}, Line);
  L.Arguments[2] = {ScalarArgument{64, 0, false}, "test"};
  const AccessProfile P =
      profileLanes(B.finish(), L, MemoryGeometry(), LanesOptions()).Accesses[1];
  ASSERT_TRUE(P.DrawnAddresses);
  // As the draws of the walked warps estimate it.
  EXPECT_LT(*P.DrawnAddresses, 1.5 * (1 << 20));
  EXPECT_GT(*P.DrawnAddresses, 0.5 * (1 << 20));
}

TEST(Priors, WordsSeldomEqualAConstant) {
  EXPECT_EQ(storesIf(4, compareWith(ComparePredicate::EQ, 7)).first, 0);
  EXPECT_EQ(storesIf(4, compareWith(ComparePredicate::NE, 7)).first, 1);
  EXPECT_EQ(storesIf(4, compareWith(ComparePredicate::NE, 7)).second, 1);
}

TEST(Priors, WordsAreSeldomNegative) {
  EXPECT_EQ(storesIf(4, compareWith(ComparePredicate::LTS, 0)).first, 0);
  EXPECT_EQ(storesIf(4, compareWith(ComparePredicate::GTS, -1)).first, 1);
  EXPECT_EQ(storesIf(4, compareWith(ComparePredicate::LES, 0)).first, 0);
  // Of other bounds nothing is known.
  EXPECT_NEAR(storesIf(4, compareWith(ComparePredicate::LTS, 7)).second, 0.5,
              0.1);
}

TEST(Priors, FlagsAreSetAsOftenAsNot) {
  auto [Warps, Lanes] = storesIf(1, compareWith(ComparePredicate::NE, 0));
  EXPECT_EQ(Warps, 1);
  EXPECT_NEAR(Lanes, 0.5, 0.1);
  EXPECT_NEAR(storesIf(1, compareWith(ComparePredicate::EQ, 'x')).second, 0.16,
              0.05);
}

TEST(Priors, MasksAndRemaindersLeaveFewValues) {
  auto [Warps, Lanes] = storesIf(4, [](FactsBuilder &B, Operand V) {
    Operand Rest = B.op(Semantics::RemU, 32, {V, FactsBuilder::imm(8)});
    return B.compare(ComparePredicate::EQ, Rest, FactsBuilder::imm(0));
  });
  EXPECT_NEAR(Warps, 1, 0.05);
  EXPECT_NEAR(Lanes, 1 / 8.0, 0.05);
}

TEST(Priors, ChoicesHaveAsManyValuesAsAreChosenFrom) {
  // (a[tid] < 7 ? a[tid] & 7 : 9) == 0 holds for one value of nine.
  auto [Warps, Lanes] = storesIf(4, [](FactsBuilder &B, Operand V) {
    using F = FactsBuilder;
    Operand IsLow = B.compare(ComparePredicate::LTS, V, F::imm(7));
    Operand Low = B.op(Semantics::And, 32, {V, F::imm(7)});
    Operand Chosen = B.op(Semantics::Select, 32, {Low, F::imm(9), IsLow});
    return B.compare(ComparePredicate::EQ, Chosen, F::imm(0));
  });
  EXPECT_NEAR(Lanes, 1 / 9.0, 0.06);
}

TEST(Priors, ConditionsOfConditionsAreNotDrawnAgain) {
  // flag = a[tid] < 7; if ((flag ? 1 : 0) & (flag ? 0 : 1)) never holds.
  auto [Warps, Lanes] = storesIf(4, [](FactsBuilder &B, Operand V) {
    using F = FactsBuilder;
    Operand Flag = B.compare(ComparePredicate::LTS, V, F::imm(7));
    Operand One = B.op(Semantics::Select, 32, {F::imm(1), F::imm(0), Flag});
    Operand Two = B.op(Semantics::Select, 32, {F::imm(0), F::imm(1), Flag});
    Operand Both = B.op(Semantics::And, 32, {One, Two});
    return B.compare(ComparePredicate::NE, Both, F::imm(0));
  });
  EXPECT_EQ(Warps, 0);
}

TEST(Priors, WhatIsKnownDecidesBesideWhatIsNot) {
  // if (tid < 0 && a[tid] < 7) never holds.
  auto [Warps, Lanes] = storesIf(4, [](FactsBuilder &B, Operand V) {
    Operand Unknown = B.compare(ComparePredicate::LTS, V, FactsBuilder::imm(7));
    Operand Known =
        B.compare(ComparePredicate::LTS, B.tidX(), FactsBuilder::imm(0));
    return B.op(Semantics::And, 1, {Known, Unknown});
  });
  EXPECT_EQ(Warps, 0);
}

TEST(Priors, NumbersAreNoNaNs) {
  for (bool AsksForNaN : {false, true}) {
    const double Warps = storesIf(4, [=](FactsBuilder &B, Operand V) {
                           Operand C = B.op(Semantics::FCompare, 32, {V, V});
                           B.Facts.Operations[C.Index].Compare =
                               ComparePredicate::Other;
                           B.Facts.Operations[C.Index].Imm = AsksForNaN;
                           return C;
                         }).first;
    EXPECT_EQ(Warps, AsksForNaN ? 0 : 1);
  }
}

TEST(Elections, OneLaneOfEachGroupLeads) {
  // if (lane == first lane that has my key) with keys tid % 4.
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.tidX();
  Operand Key = B.op(Semantics::And, 32, {T, B.imm(3)});
  Operand Group = B.op(Semantics::MatchAny, 32, {Key});
  Operand First =
      B.op(Semantics::Clz, 32, {B.op(Semantics::Brev, 32, {Group})});
  B.when(B.compare(ComparePredicate::EQ, B.sreg(SpecialReg::LaneId), First),
         [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  ExecutionProfile P = profileLanes(B.finish(), launch({4, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].ActiveLanes, 4);
  EXPECT_EQ(P.Branches[0].Exact, Exactness::Exact);
}

TEST(Elections, TheFirstLaneThatMeetsAConditionLeads) {
  // flag = a[tid] & 1; if (flag && popc(ballot(flag) & lanes below) == 0)
  auto [Warps, Lanes] = storesIf(4, [](FactsBuilder &B, Operand V) {
    using F = FactsBuilder;
    Operand Flag =
        B.compare(ComparePredicate::NE,
                  B.op(Semantics::And, 32, {V, F::imm(1)}), F::imm(0));
    Operand Below = B.op(
        Semantics::And, 32,
        {B.op(Semantics::Ballot, 32, {Flag}), B.sreg(SpecialReg::LaneMaskLt)});
    Operand IsFirst = B.compare(ComparePredicate::EQ,
                                B.op(Semantics::Popc, 32, {Below}), F::imm(0));
    return B.op(Semantics::And, 1, {Flag, IsFirst});
  });
  EXPECT_NEAR(Warps, 1, 0.05);
  EXPECT_NEAR(Lanes * 32, 1, 0.05);
}

TEST(Elections, TheActiveLanesAreKnown) {
  // if (tid & 1) if (popc(activemask & lanes below) == 0)
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.tidX();
  Operand IsOdd = B.compare(ComparePredicate::NE,
                            B.op(Semantics::And, 32, {T, B.imm(1)}), B.imm(0));
  B.when(IsOdd, [&] {
    Operand Below = B.op(
        Semantics::And, 32,
        {B.op(Semantics::ActiveMask, 32, {}), B.sreg(SpecialReg::LaneMaskLt)});
    B.when(B.compare(ComparePredicate::EQ, B.op(Semantics::Popc, 32, {Below}),
                     B.imm(0)),
           [&] { B.store(MemorySpace::Global, B.element(A, T, 4), 4); });
  });
  ExecutionProfile P = profileLanes(B.finish(), launch({4, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].ActiveLanes, 1);
  EXPECT_EQ(P.Branches[1].Exact, Exactness::Exact);
}

TEST(Arguments, BoundsOfADimensionAreItsExtent) {
  // for (y = globalY; y < h; y += rows of the grid), h not given.
  FactsBuilder B;
  Operand A = B.pointer("a"), H = B.integer("h");
  Operand Rows = B.mul(B.sreg(SpecialReg::NCtaIdY), B.sreg(SpecialReg::NTidY));
  B.loop(B.globalY(), H, Rows, [&](Operand Y) {
    B.store(MemorySpace::Global, B.element(A, Y, 4), 4);
  });
  ExecutionProfile P = profileLanes(B.finish(), launch({64, 2, 1}, {32, 8, 1}),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Loops[0].TripCount, 1);
  ASSERT_EQ(P.Assumptions.size(), 1u);
  EXPECT_EQ(P.Assumptions[0].Taken, "16");
}

TEST(Arguments, BoundsAreWhatTheTilesOfBlocksReach) {
  // i = blockIdx.x * 1024 + j * 512 + threadIdx.x * 4; if (i < n) a[i].
  FactsBuilder B;
  Operand A = B.pointer("a"), N = B.integer("n");
  Operand First =
      B.mad(B.sreg(SpecialReg::CtaIdX), B.imm(1024), B.mul(B.tidX(), B.imm(4)));
  for (int64_t Start : {0, 512}) {
    Operand I = B.op(Semantics::Or, 32, {First, B.imm(Start)});
    B.when(B.compare(ComparePredicate::LTS, I, N),
           [&] { B.store(MemorySpace::Global, B.element(A, I, 4), 4); });
  }
  ExecutionProfile P =
      profileLanes(B.finish(), launch({100, 1, 1}, {128, 1, 1}),
                   MemoryGeometry(), LanesOptions());
  ASSERT_EQ(P.Assumptions.size(), 1u);
  EXPECT_EQ(P.Assumptions[0].Taken, "102400");
  EXPECT_EQ(P.Accesses[1].RequestsPerWarp, 1);
}

TEST(Arguments, BoundsOfWhatIsLoadedAreNotReached) {
  // if (a[i] < n): the threads of the grid reach no n.
  FactsBuilder B;
  Operand A = B.pointer("a"), N = B.integer("n");
  Operand Loaded = B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4);
  B.when(B.compare(ComparePredicate::LTS, Loaded, N),
         [&] { B.store(MemorySpace::Global, B.element(A, N, 4), 4); });
  ExecutionProfile P =
      profileLanes(B.finish(), launch({100, 1, 1}, {128, 1, 1}),
                   MemoryGeometry(), LanesOptions());
  for (const Assumption &Of : P.Assumptions)
    EXPECT_NE(Of.Evidence, "indices of the grid reach up to it");
}

TEST(Arguments, DistancesOfNeighboursAreOneElement) {
  // a[i * stride] with rows of pitch: only the neighbours in x are close.
  FactsBuilder B;
  Operand A = B.pointer("a"), Stride = B.integer("stride"),
          Pitch = B.integer("pitch");
  Operand Row = B.mul(B.sreg(SpecialReg::CtaIdY), Pitch);
  Operand I = B.add(Row, B.mul(B.globalX(), Stride));
  B.store(MemorySpace::Global, B.element(A, I, 4), 4);
  ExecutionProfile P = profileLanes(B.finish(), launch({64, 8, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  ASSERT_EQ(P.Assumptions.size(), 2u);
  for (const Assumption &Of : P.Assumptions)
    EXPECT_EQ(Of.Taken == "1", Of.What == "argument stride") << Of.What;
}

TEST(Arguments, ProductsOf32BitsHoldTheirArguments) {
  // a[i] while i < (m / 16) * (n / 16) * (k / 16) / blocks: a share of tiles,
  // of which there are none where the product wraps around.
  FactsBuilder B;
  Operand A = B.pointer("a"), One = B.imm(1);
  Operand Tiles = One;
  for (const char *Name : {"m", "n", "k"}) {
    Operand Part = B.op(Semantics::ShrU, 32, {B.integer(Name), B.imm(4)});
    Tiles = Tiles == One ? Part : B.mul(Tiles, Part);
  }
  Operand Each =
      B.op(Semantics::DivU, 32, {Tiles, B.sreg(SpecialReg::NCtaIdX)});
  B.loop(B.imm(0), Each, One, [&](Operand I) {
    B.store(MemorySpace::Global, B.element(A, I, 4), 4);
  });
  ExecutionProfile P = profileLanes(B.finish(), launch({64, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Loops[0].TripCount, 64 * 64 * 64 / 64);
  ASSERT_EQ(P.Assumptions.size(), 3u);
  for (const Assumption &Of : P.Assumptions)
    EXPECT_EQ(Of.Taken, "1024") << Of.What;
}

TEST(Arguments, APitchIsNoDistanceOfNeighbours) {
  // out[y * n + x] = in[x * n + y]: rows are n apart in both.
  FactsBuilder B;
  Operand In = B.pointer("in"), Out = B.pointer("out"), N = B.integer("n");
  Operand X = B.globalX(), Y = B.globalY();
  B.load(MemorySpace::Global, B.element(In, B.mad(X, N, Y), 4), 4);
  B.store(MemorySpace::Global, B.element(Out, B.mad(Y, N, X), 4), 4);
  ExecutionProfile P =
      profileLanes(B.finish(), launch({32, 128, 1}, {32, 8, 1}),
                   MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 32);
  EXPECT_EQ(P.Accesses[1].SectorsPerRequest, 4);
}

TEST(Arguments, ProductsThatBoundAnIndexAreItsExtent) {
  // if (i < x * y * z) a[i], none of them given: three times 2^20 would wrap.
  FactsBuilder B;
  Operand A = B.pointer("a"), I = B.globalX();
  Operand Product =
      B.mul(B.mul(B.integer("x"), B.integer("y")), B.integer("z"));
  B.when(B.compare(ComparePredicate::LTS, I, Product),
         [&] { B.store(MemorySpace::Global, B.element(A, I, 4), 4); });
  const Launch L = launch({4096, 1, 1}, Line);
  LanesOptions Options;
  ExecutionProfile P = profileLanes(B.finish(), L, MemoryGeometry(), Options);
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 1);
  ASSERT_EQ(P.Assumptions.size(), 3u);
  double Taken = 1;
  for (const Assumption &Of : P.Assumptions)
    Taken *= std::stod(Of.Taken);
  EXPECT_EQ(Taken, 1 << 20);
  Options.Used.leaveOut(Mechanism::ProductArguments);
  Options.Used.leaveOut(Mechanism::ParameterRoles);
  P = profileLanes(B.finish(), L, MemoryGeometry(), Options);
  EXPECT_EQ(P.Accesses[0].RequestsPerWarp, 0);
}

TEST(Arguments, RepetitionsAreThoseOfALoopThatNothingDecides) {
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.globalX();
  B.loop(B.imm(0), B.integer("repeat"), B.imm(1),
         [&](Operand) { B.load(MemorySpace::Global, B.element(A, T, 4), 4); });
  ExecutionProfile P = profileLanes(B.finish(), launch({64, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Loops[0].TripCount, LanesOptions().DefaultTripCount);
}

TEST(Arguments, RepetitionsMayBeCountedDown) {
  // for (i = repeat; i != 0; --i)
  FactsBuilder B;
  Operand A = B.pointer("a"), T = B.globalX(), N = B.integer("repeat");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = B.phi(N, Pre);
  B.load(MemorySpace::Global, B.element(A, T, 4), 4);
  Operand Next = B.add(I, B.imm(-1));
  B.addIncoming(I, Next, Head);
  Operand Stay = B.compare(ComparePredicate::NE, Next, B.imm(0));
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Head, Exit);
  ExecutionProfile P = profileLanes(B.finish(), launch({64, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Loops[0].TripCount, LanesOptions().DefaultTripCount);
}

/// if (*done != 0) { a[1] = 0; return; } a[tid] = b[tid], where \p PerThread
/// each thread has a flag of its own.
ExecutionProfile profileEarlyExit(bool PerThread, bool ExitLoads = false,
                                  bool StoresBefore = false) {
  FactsBuilder B;
  Operand Done = B.pointer("done"), A = B.pointer("a");
  if (StoresBefore)
    B.store(MemorySpace::Global, A, 4);
  Operand Flag = B.load(MemorySpace::Global,
                        PerThread ? B.element(Done, B.tidX(), 4) : Done, 4);
  Operand IsDone = B.compare(ComparePredicate::NE, Flag, B.imm(0));
  uint32_t Entry = B.current();
  uint32_t Work = B.newBlock();
  B.load(MemorySpace::Global, B.element(A, B.tidX(), 4), 4);
  uint32_t Idle = B.newBlock();
  if (ExitLoads)
    B.load(MemorySpace::Global, A, 4);
  B.store(MemorySpace::Global, A, 4);
  B.branch(Entry, IsDone, Idle, Work);
  return profileLanes(B.finish(), launch({64, 1, 1}, {128, 1, 1}),
                      MemoryGeometry(), LanesOptions());
}

TEST(WorkingSide, AFlagOfTheGridDoesNotEndIt) {
  ExecutionProfile P = profileEarlyExit(/*PerThread=*/false);
  EXPECT_EQ(P.Accesses[1].ExecutionsPerWarp, 1);
  EXPECT_EQ(P.Accesses[2].ExecutionsPerWarp, 0);
}

TEST(WorkingSide, FlagsOfThreadsHaveTheirProbability) {
  ExecutionProfile P = profileEarlyExit(/*PerThread=*/true);
  EXPECT_LT(P.Accesses[1].RequestsPerWarp, 1);
}

TEST(WorkingSide, SidesThatBothLoadHaveTheirProbability) {
  ExecutionProfile P =
      profileEarlyExit(/*PerThread=*/false, /*ExitLoads=*/true);
  EXPECT_LT(P.Accesses[1].ExecutionsPerWarp, 1);
}

TEST(WorkingSide, WhatWasStoredBeforeIsWorkToo) {
  ExecutionProfile P =
      profileEarlyExit(/*PerThread=*/false, /*ExitLoads=*/false,
                       /*StoresBefore=*/true);
  EXPECT_LT(P.Accesses[2].ExecutionsPerWarp, 1);
}

TEST(Priors, OneLaneOfThoseWithTheSameValueIsTheFirst) {
  // if (popc(match_any(v & 3) & lanes below) == 0) atomicAdd(...).
  FactsBuilder B;
  Operand In = B.pointer("in"), Bins = B.pointer("bins");
  Operand V = B.load(MemorySpace::Global, B.element(In, B.globalX(), 4), 4);
  Operand Bin = B.op(Semantics::And, 32, {V, B.imm(3)});
  Operand Same = B.op(Semantics::MatchAny, 32, {Bin, B.imm(-1)});
  Operand Below =
      B.op(Semantics::And, 32, {Same, B.sreg(SpecialReg::LaneMaskLt)});
  Operand Rank = B.op(Semantics::Popc, 32, {Below});
  B.when(B.compare(ComparePredicate::EQ, Rank, B.imm(0)),
         [&] { B.atomic(MemorySpace::Global, B.element(Bins, Bin, 4), 4); });
  ExecutionProfile P = profileLanes(B.finish(), launch({64, 1, 1}, Line),
                                    MemoryGeometry(), LanesOptions());
  EXPECT_EQ(P.Accesses[1].ExecutionsPerWarp, 1);
  EXPECT_NEAR(P.Accesses[1].ActiveLanes, 4, 0.1);
  EXPECT_EQ(P.Accesses[1].LanesPerAddress, 1);
}

TEST(Priors, LoadedNumbersThatPassedABoundAreBelowIt) {
  // if (v < 5) atomicAdd(&bins[v], ...), or if (!(v < 5)).
  auto Distinct = [](bool Below) {
    FactsBuilder B;
    Operand In = B.pointer("in"), Bins = B.pointer("bins");
    Operand V = B.load(MemorySpace::Global, B.element(In, B.globalX(), 4), 4);
    B.when(B.compare(Below ? ComparePredicate::LTS : ComparePredicate::GES, V,
                     B.imm(5)),
           [&] { B.atomic(MemorySpace::Global, B.element(Bins, V, 4), 4); });
    return profileLanes(B.finish(), launch({64, 1, 1}, Line), MemoryGeometry(),
                        LanesOptions())
        .Accesses[1]
        .DistinctAddressesPerRequest;
  };
  EXPECT_LE(Distinct(true), 5);
  EXPECT_GT(Distinct(false), 10);
}

/// The words that `table[(v >> 24) & 255]`, also in more bits or by a choice of
/// bytes, and `table[v >> 24]` reach, v loaded.
TEST(Priors, FieldsOfLoadedKeysTakeAllValues) {
  enum class By { Mask, WideMask, Bytes, None };
  auto Distinct = [](By How) {
    FactsBuilder B;
    Operand In = B.pointer("in"), Table = B.shared("table", 1024);
    Operand V = B.load(MemorySpace::Global, B.element(In, B.globalX(), 4), 4);
    Operand Field = B.op(Semantics::ShrU, 32, {V, B.imm(24)});
    if (How == By::Mask)
      Field = B.op(Semantics::And, 32, {Field, B.imm(255)});
    if (How == By::WideMask)
      Field = B.op(Semantics::And, 64,
                   {B.op(Semantics::ZExt, 64, {Field}), B.imm(255)});
    if (How == By::Bytes)
      Field = B.op(Semantics::Prmt, 32, {V, B.imm(0), B.imm(0x7773)});
    B.atomic(MemorySpace::Shared, B.element(Table, Field, 4), 4);
    return profileLanes(B.finish(), launch({64, 1, 1}, {256, 1, 1}),
                        MemoryGeometry(), LanesOptions())
        .Accesses[1]
        .DistinctAddressesPerRequest;
  };
  EXPECT_GT(Distinct(By::Mask), 28);
  EXPECT_GT(Distinct(By::WideMask), 28);
  EXPECT_GT(Distinct(By::Bytes), 28);
  EXPECT_EQ(Distinct(By::None), 1);
}

/// The share of warps that store where \p Change made facts of a branch on
/// loaded data, without the mechanisms \p Names.
template <typename MakeChange>
double storesWithout(llvm::StringRef Names, MakeChange Change) {
  KernelFacts F = storesSomeLoaded();
  Change(F.Branches[0]);
  LanesOptions Options;
  if (!Names.empty())
    llvm::cantFail(leaveOut(Names, Options.Used));
  return profileLanes(F, launch({64, 1, 1}, Line), MemoryGeometry(), Options)
      .Accesses[1]
      .ExecutionsPerWarp;
}

/// Sectors of a request of `b[a[tid]]`.
static double sectorsOfGather(const LanesOptions &Options) {
  FactsBuilder B;
  Operand A = B.pointer("a"), Of = B.pointer("b");
  Operand V = B.load(MemorySpace::Global, B.element(A, B.globalX(), 4), 4);
  B.load(MemorySpace::Global, B.element(Of, V, 4), 4);
  return profileLanes(B.finish(), launch({64, 1, 1}, Line), MemoryGeometry(),
                      Options)
      .Accesses[1]
      .SectorsPerRequest;
}

TEST(Guessers, LoadedIndicesAreSpreadUnlessTheGuessIsOff) {
  EXPECT_GT(sectorsOfGather({}), 30);
  LanesOptions Without;
  Without.Used.leaveOut(Mechanism::LoadedIndices);
  EXPECT_EQ(sectorsOfGather(Without), 4);
}

TEST(Guessers, ASwitchIsThatOfTheGuessThatReadersMade) {
  const double Open = storesWithout("", [](Branch &) {});
  for (auto [By, Key, Other] :
       {std::tuple(Mechanism::TrapProbability, "trap-odds", "record-odds"),
        std::tuple(Mechanism::RecordProbability, "record-odds", "trap-odds")}) {
    auto Guessed = [By = By](Branch &B) {
      // Never to the store, whichever target that is.
      B.TakenPrior = B.Targets[0] < B.Targets[1] ? 0 : 1;
      B.PriorBy = By;
    };
    const double With = storesWithout("", Guessed);
    EXPECT_NE(With, Open) << Key;
    EXPECT_EQ(storesWithout(Other, Guessed), With) << Key;
    EXPECT_EQ(storesWithout(Key, Guessed), Open) << Key;
  }
}

} // namespace
