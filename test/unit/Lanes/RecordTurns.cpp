//===- RecordTurns.cpp - Branches that the best value so far takes --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactsBuilder.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace gpuocc::test;

namespace {

constexpr int64_t Turns = 256;

/// Lanes that a warp stores with in all, with the last access of \p Facts.
double lanesThatStore(const KernelFacts &Facts, const LanesOptions &Options) {
  const ExecutionProfile P = profileLanes(Facts, launch({1, 1, 1}, {32, 1, 1}),
                                          MemoryGeometry(), Options);
  const AccessProfile &Store = P.Accesses.back();
  return Store.RequestsPerWarp * Store.ActiveLanes;
}

/// for (j...) if (a[j * 32 + tid] < best[tid]) best[tid] = a[j * 32 + tid];
KernelFacts keepsLeastInMemory() {
  FactsBuilder B;
  const Operand A = B.pointer("a"), T = B.globalX();
  const Operand Place = B.element(B.pointer("best"), T, 4);
  B.loop(FactsBuilder::imm(0), FactsBuilder::imm(Turns), FactsBuilder::imm(1),
         [&](Operand J) {
           const Operand Row = B.element(A, J, 128);
           const Operand V =
               B.load(MemorySpace::Global, B.element(Row, T, 4), 4);
           const Operand Best = B.load(MemorySpace::Global, Place, 4);
           B.when(B.compare(ComparePredicate::LTS, V, Best), [&] {
             B.store(MemorySpace::Global, Place, 4);
             B.Facts.Accesses.back().Stored = {V};
           });
         });
  return B.finish();
}

/// for (j...) if (a[j * 32 + tid] < Best) { Best = a[j * 32 + tid];
/// out[tid] = ...; }
KernelFacts keepsLeastInRegister() {
  FactsBuilder B;
  const Operand A = B.pointer("a"), T = B.globalX();
  const Operand Out = B.element(B.pointer("out"), T, 4);
  const uint32_t Pre = B.current();
  Operand Best, Merged;
  B.loop(FactsBuilder::imm(0), FactsBuilder::imm(Turns), FactsBuilder::imm(1),
         [&](Operand J) {
           Best = B.phi(FactsBuilder::imm(1 << 30), Pre);
           const Operand Row = B.element(A, J, 128);
           const Operand V =
               B.load(MemorySpace::Global, B.element(Row, T, 4), 4);
           const uint32_t Before = B.current();
           uint32_t Side = NoIndex;
           B.when(B.compare(ComparePredicate::LTS, V, Best), [&] {
             Side = B.current();
             B.store(MemorySpace::Global, Out, 4);
           });
           Merged = B.phi(Best, Before);
           B.addIncoming(Merged, V, Side);
           B.addIncoming(Best, Merged, B.current());
         });
  return B.finish();
}

TEST(RecordTurns, FewValuesBeatThoseBeforeThem) {
  // 32 lanes, each with 1 + 1/2 + ... + 1/256 = 6.12 records. Turns that are
  // not walked are stood for by others.
  for (const KernelFacts &Facts :
       {keepsLeastInMemory(), keepsLeastInRegister()}) {
    const double Lanes = lanesThatStore(Facts, {});
    EXPECT_GT(Lanes, 32 * 6.12 / 1.6);
    EXPECT_LT(Lanes, 32 * 6.12 * 1.6);
    LanesOptions Without;
    Without.Used.leaveOut(Mechanism::RecordProbability);
    EXPECT_GT(lanesThatStore(Facts, Without), 32 * Turns / 4);
  }
}

TEST(RecordTurns, WhatIsStoredElsewhereIsNoRecord) {
  KernelFacts Facts = keepsLeastInMemory();
  Facts.Accesses.back().OffsetBytes = 128;
  EXPECT_GT(lanesThatStore(Facts, {}), 32 * Turns / 4);
}

TEST(RecordTurns, AnotherValueThanTheOneComparedIsNoRecord) {
  KernelFacts Facts = keepsLeastInMemory();
  Facts.Accesses.back().Stored = {FactsBuilder::imm(0)};
  EXPECT_GT(lanesThatStore(Facts, {}), 32 * Turns / 4);
}

} // namespace
