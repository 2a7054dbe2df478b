//===- ExchangeThreadsTest.cpp - x and y of threads exchanged -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/ExchangeThreads.h"
#include "KernelCode.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// x and y of threads in blocks of 32x8, 128x512 of them.
KernelVariant ofRows(bool ReadsExtents) {
  Code C;
  C.special(SpecialReg::TidX);
  C.special(SpecialReg::CtaIdY);
  C.special(SpecialReg::TidY);
  if (ReadsExtents) {
    C.special(SpecialReg::NTidX);
    C.special(SpecialReg::NTidY);
  }
  C.exit();
  KernelVariant V;
  V.Facts = std::move(C.F);
  V.Launched.Block = {{32, 8, 1}, "test"};
  V.Launched.Grid = Sourced<Dim3>{{128, 256, 1}, "test"};
  return V;
}

bool canExchange(KernelVariant V) {
  Expected<KernelVariant> Changed = exchangeThreads().Apply(std::move(V));
  if (Changed)
    return true;
  consumeError(Changed.takeError());
  return false;
}

TEST(ExchangeThreads, BlocksOfAnyExtentKeepTheirs) {
  Expected<KernelVariant> V = exchangeThreads().Apply(ofRows(true));
  ASSERT_TRUE(!!V);
  EXPECT_EQ(V->Facts.Operations[0].SReg, SpecialReg::TidY);
  EXPECT_EQ(V->Facts.Operations[1].SReg, SpecialReg::CtaIdX);
  EXPECT_EQ(V->Facts.Operations[2].SReg, SpecialReg::TidX);
  EXPECT_EQ(V->Launched.Block.Value, (Dim3{32, 8, 1}));
  // 4096 threads along x and 2048 along y, now the other way round.
  EXPECT_EQ(V->Launched.Grid->Value, (Dim3{64, 512, 1}));
}

TEST(ExchangeThreads, BlocksOfOneExtentAreTurned) {
  Expected<KernelVariant> V = exchangeThreads().Apply(ofRows(false));
  ASSERT_TRUE(!!V);
  EXPECT_EQ(V->Launched.Block.Value, (Dim3{8, 32, 1}));
  EXPECT_EQ(V->Launched.Grid->Value, (Dim3{256, 128, 1}));
}

TEST(ExchangeThreads, OneRowAndThreadsThatWorkTogetherStay) {
  KernelVariant Row = ofRows(true);
  Row.Launched.Block.Value = {256, 1, 1};
  EXPECT_FALSE(canExchange(Row));
  KernelVariant Shared = ofRows(true);
  Shared.Facts.StaticSharedBytes = 1024;
  EXPECT_FALSE(canExchange(Shared));
  KernelVariant Lanes = ofRows(true);
  Lanes.Facts.Operations[1].SReg = SpecialReg::LaneId;
  EXPECT_FALSE(canExchange(Lanes));
}

TEST(ExchangeThreads, AGridHasFewBlocksAlongY) {
  KernelVariant V = ofRows(true);
  V.Launched.Grid = Sourced<Dim3>{{1 << 17, 1, 1}, "test"};
  EXPECT_FALSE(canExchange(V));
}

} // namespace
