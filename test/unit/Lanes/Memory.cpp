//===- Memory.cpp - What a walk wrote and reads again ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

const Dim3 Line{256, 1, 1};

ExecutionProfile profile(FactsBuilder &B, const Launch &L,
                         const LanesOptions &Options = {}) {
  return profileLanes(B.finish(), L, MemoryGeometry(), Options);
}

void store(FactsBuilder &B, MemorySpace Space, Operand Base, Operand Value) {
  B.store(Space, Base, 4);
  B.Facts.Accesses.back().Stored = {Value};
}

void barrier(FactsBuilder &B) {
  Operand O = B.opaque({});
  B.Facts.Operations[O.Index].Emits = {{InstClass::Barrier, 1, 1}};
}

Operand count(FactsBuilder &B, MemorySpace Space, Operand Counter) {
  Operand O = B.atomic(Space, Counter, 4);
  B.Facts.Operations[O.Index].Operands = {Counter, B.imm(1)};
  B.Facts.Accesses.back().AtomicOp = "add";
  return O;
}

TEST(Memory, LocalArraysHoldWhatTheLaneStored) {
  // int a[8]; a[tid % 8] = tid; for (i = 0; i < a[tid % 8]; ++i)
  FactsBuilder B;
  Operand Array = B.symbol("a", MemorySpace::Local, 32), T = B.tidX();
  Operand Place = B.op(Semantics::And, 32, {T, B.imm(7)});
  store(B, MemorySpace::Local, B.element(Array, Place, 4), T);
  Operand N = B.load(MemorySpace::Local, B.element(Array, Place, 4), 4);
  Operand G = B.pointer("g");
  B.loop(B.imm(0), N, B.imm(1), [&](Operand I) {
    B.load(MemorySpace::Global, B.element(G, I, 4), 4);
  });
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
  // The longest lanes of the eight warps go on for 31, 63, ... 255.
  EXPECT_NEAR(P.Loops[0].TripCount, (31 + 255) / 2.0, 1e-6);
  EXPECT_TRUE(P.Assumptions.empty());
}

TEST(Memory, SharedWordsAreSeenBehindABarrier) {
  // if (tid == 0) n = blockIdx.x + 1; __syncthreads(); for (i = 0; i < n; ++i)
  auto Trips = [](bool WithBarrier) {
    FactsBuilder B;
    Operand Word = B.shared("n", 4);
    B.when(B.compare(ComparePredicate::EQ, B.tidX(), B.imm(0)), [&] {
      store(B, MemorySpace::Shared, Word,
            B.add(B.sreg(SpecialReg::CtaIdX), B.imm(1)));
    });
    if (WithBarrier)
      barrier(B);
    Operand N = B.load(MemorySpace::Shared, Word, 4);
    Operand G = B.pointer("g");
    B.loop(B.imm(0), N, B.imm(1), [&](Operand I) {
      B.load(MemorySpace::Global, B.element(G, I, 4), 4);
    });
    return profile(B, launch({9, 1, 1}, Line)).Loops[0];
  };
  EXPECT_NEAR(Trips(true).TripCount, 5, 1e-6);
  EXPECT_EQ(Trips(true).Exact, Exactness::Exact);
  EXPECT_EQ(Trips(false).Exact, Exactness::DataDependent);
}

TEST(Memory, WordsOfWarpsBehindAreSeen) {
  // a[warp] = warp + 1; __syncthreads(); for (i = 0; i < a[7 - warp]; ++i)
  FactsBuilder B;
  Operand Array = B.shared("a", 32), G = B.pointer("g");
  Operand Warp = B.op(Semantics::ShrU, 32, {B.tidX(), B.imm(5)});
  store(B, MemorySpace::Shared, B.element(Array, Warp, 4),
        B.add(Warp, B.imm(1)));
  barrier(B);
  Operand Other = B.op(Semantics::Sub, 32, {B.imm(7), Warp});
  Operand N = B.load(MemorySpace::Shared, B.element(Array, Other, 4), 4);
  B.loop(B.imm(0), N, B.imm(1), [&](Operand I) {
    B.load(MemorySpace::Global, B.element(G, I, 4), 4);
  });
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
  EXPECT_NEAR(P.Loops[0].TripCount, 4.5, 1e-6);
}

TEST(Memory, KnownWordsLieBesideUnknownOnes) {
  // a[tid] = 8 * tid; a[256] = loaded; __syncthreads(); g[a[tid]], i < a[256]
  FactsBuilder B;
  Operand Array = B.shared("a", 1028), G = B.pointer("g"), T = B.tidX();
  store(B, MemorySpace::Shared, B.element(Array, T, 4), B.mul(T, B.imm(8)));
  Operand Loaded = B.load(MemorySpace::Global, G, 4);
  store(B, MemorySpace::Shared, B.element(Array, B.imm(256), 4), Loaded);
  barrier(B);
  Operand I = B.load(MemorySpace::Shared, B.element(Array, T, 4), 4);
  B.load(MemorySpace::Global, B.element(G, I, 4), 4);
  const size_t Gather = B.Facts.Accesses.size() - 1;
  Operand N = B.load(MemorySpace::Shared, B.element(Array, B.imm(256), 4), 4);
  B.loop(B.imm(0), N, B.imm(1), [&](Operand K) {
    B.load(MemorySpace::Global, B.element(G, K, 4), 4);
  });
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_EQ(P.Accesses[Gather].SectorsPerRequest, 32);
  EXPECT_EQ(P.Accesses[Gather].LaneStrideBytes, 32);
  EXPECT_EQ(P.Loops[0].Exact, Exactness::DataDependent);
}

TEST(Memory, LongSumsLeadToTheirVariable) {
  // a[1 + ... + 1 + tid] = tid; for (i = 0; i < a[100 + tid]; ++i)
  constexpr int Ones = 100;
  FactsBuilder B;
  Operand Array = B.shared("a", 4096), G = B.pointer("g"), T = B.tidX();
  Operand Place = T;
  for (int I = 0; I != Ones; ++I)
    Place = B.add(Place, B.imm(1));
  store(B, MemorySpace::Shared, B.element(Array, Place, 4), B.imm(3));
  Operand N = B.load(MemorySpace::Shared,
                     B.element(Array, B.add(T, B.imm(Ones)), 4), 4);
  B.loop(B.imm(0), N, B.imm(1), [&](Operand I) {
    B.load(MemorySpace::Global, B.element(G, I, 4), 4);
  });
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
  EXPECT_NEAR(P.Loops[0].TripCount, 3, 1e-6);
}

TEST(Memory, ShortAndGenericAddressesAreOfOneWord) {
  // a[tid] = 3 by an address of 32 bits; for (i = 0; i < a[tid]; ++i)
  FactsBuilder B;
  Operand Array = B.shared("a", 1024), G = B.pointer("g"), T = B.tidX();
  Operand Short = B.op(Semantics::Trunc, 32, {Array});
  store(B, MemorySpace::Shared, B.mad(T, B.imm(4), Short), B.imm(3));
  Operand N = B.load(MemorySpace::Shared, B.element(Array, T, 4), 4);
  B.loop(B.imm(0), N, B.imm(1), [&](Operand I) {
    B.load(MemorySpace::Global, B.element(G, I, 4), 4);
  });
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_EQ(P.Loops[0].Exact, Exactness::Exact);
  EXPECT_NEAR(P.Loops[0].TripCount, 3, 1e-6);
}

TEST(Memory, UnknownPlacesForgetWhatWasThere) {
  // n = 3; a[loaded] = 5 in the same array; for (i < n)
  FactsBuilder B;
  Operand Array = B.shared("a", 1024), G = B.pointer("g");
  store(B, MemorySpace::Shared, Array, B.imm(3));
  Operand I = B.load(MemorySpace::Global, B.element(G, B.tidX(), 4), 4);
  store(B, MemorySpace::Shared, B.element(Array, I, 4), B.imm(5));
  Operand N = B.load(MemorySpace::Shared, Array, 4);
  B.loop(B.imm(0), N, B.imm(1), [&](Operand K) {
    B.load(MemorySpace::Global, B.element(G, K, 4), 4);
  });
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_EQ(P.Loops[0].Exact, Exactness::DataDependent);
}

TEST(Memory, WhatAtomicsChangeIsNotFollowed) {
  FactsBuilder B;
  Operand Word = B.shared("n", 4), G = B.pointer("g");
  store(B, MemorySpace::Shared, Word, B.imm(3));
  B.atomic(MemorySpace::Shared, Word, 4);
  Operand N = B.load(MemorySpace::Shared, Word, 4);
  B.loop(B.imm(0), N, B.imm(1), [&](Operand K) {
    B.load(MemorySpace::Global, B.element(G, K, 4), 4);
  });
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_EQ(P.Loops[0].Exact, Exactness::DataDependent);
}

TEST(Counters, TheLastBlockIsOne) {
  // if (tid == 0) last = atomicAdd(&n, 1) == gridDim.x - 1;
  // __syncthreads(); if (last) a[tid] = ...
  FactsBuilder B;
  Operand Counter = B.pointer("n"), A = B.pointer("a");
  Operand IsLast = B.shared("last", 4);
  B.when(B.compare(ComparePredicate::EQ, B.tidX(), B.imm(0)), [&] {
    Operand Number = count(B, MemorySpace::Global, Counter);
    Operand Holds = B.compare(ComparePredicate::EQ, Number,
                              B.add(B.sreg(SpecialReg::NCtaIdX), B.imm(-1)));
    store(B, MemorySpace::Shared, IsLast,
          B.op(Semantics::Select, 32, {B.imm(1), B.imm(0), Holds}));
  });
  barrier(B);
  Operand Last = B.load(MemorySpace::Shared, IsLast, 4);
  B.when(B.compare(ComparePredicate::NE, Last, B.imm(0)),
         [&] { B.store(MemorySpace::Global, B.element(A, B.tidX(), 4), 4); });
  ExecutionProfile P = profile(B, launch({1000, 1, 1}, Line));
  EXPECT_NEAR(P.Accesses.back().ExecutionsPerWarp, 1 / 1000.0, 1e-9);
  ASSERT_EQ(P.Assumptions.size(), 1u);
  EXPECT_EQ(P.Assumptions[0].What, "numbers that atomics on a counter return");
  EXPECT_EQ(P.Assumptions[0].GuessedBy, "counter-order");
}

TEST(Counters, WithoutTheGuessTheirNumbersAreData) {
  // for (i = 0; i < atomicAdd(&n, 1); ++i) ...
  auto LoopOver = [](const LanesOptions &Options) {
    FactsBuilder B;
    Operand Counter = B.pointer("n"), A = B.pointer("a");
    Operand Number = count(B, MemorySpace::Global, Counter);
    B.loop(B.imm(0), Number, B.imm(1), [&](Operand K) {
      B.load(MemorySpace::Global, B.element(A, K, 4), 4);
    });
    return profile(B, launch({4, 1, 1}, Line), Options).Loops[0].Exact;
  };
  EXPECT_NE(LoopOver({}), Exactness::DataDependent);
  LanesOptions Without;
  Without.Used.leaveOut(Mechanism::CounterOrder);
  EXPECT_EQ(LoopOver(Without), Exactness::DataDependent);
}

TEST(Counters, QueuesAreSharedOut) {
  // while ((i = atomicAdd(&n, 1)) < 40960);
  FactsBuilder B;
  Operand Counter = B.pointer("n");
  uint32_t Pre = B.current();
  uint32_t Head = B.newBlock();
  B.jump(Pre, Head);
  Operand I = count(B, MemorySpace::Global, Counter);
  Operand Stay = B.compare(ComparePredicate::LTU, I, B.imm(40960));
  uint32_t Body = B.newBlock();
  uint32_t Exit = B.newBlock();
  B.branch(Head, Stay, Body, Exit);
  B.jump(Body, Head);
  ExecutionProfile P = profile(B, launch({4, 1, 1}, Line));
  EXPECT_NEAR(P.Loops[0].TripCount, 40960 / 1024.0, 1e-6);
}

TEST(Counters, CompactedElementsLieSideBySide) {
  // a[atomicAdd(&n, 1)] = ...
  FactsBuilder B;
  Operand Counter = B.pointer("n"), A = B.pointer("a");
  Operand I = count(B, MemorySpace::Global, Counter);
  B.store(MemorySpace::Global, B.element(A, I, 4), 4);
  ExecutionProfile P = profile(B, launch({64, 1, 1}, Line));
  EXPECT_NEAR(P.Accesses[1].SectorsPerRequest, 4, 1);
  EXPECT_NE(P.Accesses[1].Exact, Exactness::Exact);
}

} // namespace
