//===- MergeWorkTest.cpp - Work of several threads done by one ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/MergeWork.h"
#include "KernelCode.h"
#include "gpuocc/Caches/EstimateCaches.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// out[threadIdx.y * 64 + threadIdx.x] = in[threadIdx.x].
KernelFacts rowOfColumns() {
  Code C;
  const Operand X = C.special(SpecialReg::TidX),
                Y = C.special(SpecialReg::TidY);
  const Operand Out = C.parameter(0), In = C.parameter(8);
  const Operand From =
      Operand::value(C.add(Semantics::MadWideU, InstClass::IMadWide,
                           {X, Operand::immediate(4), In}, 64));
  const uint32_t Load = C.access(AccessKind::Load, From);
  const Operand At = Operand::value(
      C.add(Semantics::Mad, InstClass::IMad, {Y, Operand::immediate(64), X}));
  const Operand To =
      Operand::value(C.add(Semantics::MadWideU, InstClass::IMadWide,
                           {At, Operand::immediate(4), Out}, 64));
  const uint32_t Store = C.access(AccessKind::Store, To);
  C.F.Operations[Store].Operands.push_back(Operand::value(Load));
  C.F.Accesses.back().Stored = {Operand::value(Load)};
  C.exit();
  return std::move(C.F);
}

Launch launchOf(Dim3 Grid, Dim3 Block) {
  Launch L;
  L.Block = {Block, "test"};
  L.Grid = Sourced<Dim3>{Grid, "test"};
  L.DynamicSharedBytes = {0, "test"};
  return L;
}

ExecutionProfile profileOf(const KernelFacts &F, const Launch &L) {
  return profileLaunch(F, L, MemoryGeometry(), LanesOptions());
}

double requests(const KernelFacts &F, const ExecutionProfile &P,
                const Launch &L, AccessKind Kind) {
  double Sum = 0;
  for (size_t I = 0; I != F.Accesses.size(); ++I)
    if (F.Accesses[I].Kind == Kind)
      Sum += P.Accesses[I].RequestsPerWarp;
  return Sum * double(L.warpsPerBlock()) * double(L.Grid->Value.count());
}

TEST(MergeWork, LoadsOnceWhatDoesNotDependOnTheCoordinate) {
  const KernelFacts F = rowOfColumns();
  const Launch L = launchOf({64, 1, 1}, {32, 8, 1});
  const ExecutionProfile P = profileOf(F, L);
  const KernelVariant V =
      cantFail(mergeWork({MergeOf::Threads, 1, 4}).Apply({F, P, L}));
  cantFail(verifyFacts(V.Facts));
  EXPECT_EQ(V.Launched.Block.Value, (Dim3{32, 2, 1}));
  EXPECT_EQ(requests(F, P, L, AccessKind::Load), 512);
  EXPECT_EQ(requests(V.Facts, V.Profile, V.Launched, AccessKind::Load), 128);
  EXPECT_EQ(requests(V.Facts, V.Profile, V.Launched, AccessKind::Store), 512);
}

// Lane evaluation of the merged code finds what the merge says of it.
TEST(MergeWork, MergedCodeDoesTheSameWork) {
  const KernelFacts F = rowOfColumns();
  const Launch L = launchOf({64, 1, 1}, {32, 8, 1});
  const ExecutionProfile P = profileOf(F, L);
  const KernelVariant V =
      cantFail(mergeWork({MergeOf::Threads, 1, 4}).Apply({F, P, L}));
  const ExecutionProfile Again = profileOf(V.Facts, V.Launched);
  ASSERT_EQ(Again.Accesses.size(), V.Profile.Accesses.size());
  for (size_t I = 0; I != Again.Accesses.size(); ++I) {
    EXPECT_EQ(Again.Accesses[I].RequestsPerWarp,
              V.Profile.Accesses[I].RequestsPerWarp);
    EXPECT_EQ(Again.Accesses[I].SectorsPerRequest,
              V.Profile.Accesses[I].SectorsPerRequest);
    EXPECT_EQ(Again.Accesses[I].LaneStrideBytes,
              V.Profile.Accesses[I].LaneStrideBytes);
  }
  EXPECT_EQ(Again.FootprintReadBytes, P.FootprintReadBytes);
}

TEST(MergeWork, WarpsKeepTheirLanes) {
  const KernelFacts F = rowOfColumns();
  const Launch L = launchOf({64, 1, 1}, {32, 8, 1});
  const ExecutionProfile P = profileOf(F, L);
  EXPECT_FALSE(canMerge(F, P, L, {MergeOf::Threads, 0, 2}));
  EXPECT_FALSE(canMerge(F, P, L, {MergeOf::Threads, 2, 2}));
  EXPECT_FALSE(canMerge(F, P, L, {MergeOf::Blocks, 1, 2}));
}

// Threads and blocks along an axis that no code reads do the same: there is
// nothing that one of them could do for the others.
TEST(MergeWork, DimensionsThatTheKernelDoesNotHaveStay) {
  const KernelFacts F = rowOfColumns();
  const Launch L = launchOf({64, 64, 1}, {32, 8, 8});
  const ExecutionProfile P = profileOf(F, L);
  EXPECT_TRUE(canMerge(F, P, L, {MergeOf::Threads, 1, 2}));
  EXPECT_FALSE(canMerge(F, P, L, {MergeOf::Threads, 2, 2}));
  EXPECT_FALSE(canMerge(F, P, L, {MergeOf::Blocks, 1, 2}));
}

TEST(MergeWork, LanesOfMergedThreadsAreOthers) {
  KernelFacts F = rowOfColumns();
  const Launch L = launchOf({64, 4, 1}, {32, 8, 1});
  EXPECT_TRUE(canMerge(F, profileOf(F, L), L, {MergeOf::Threads, 1, 2}));
  // The lane in the place of x.
  for (Operation &Op : F.Operations)
    if (Op.SReg == SpecialReg::TidX)
      Op.SReg = SpecialReg::LaneId;
  for (unsigned D : {0, 1})
    EXPECT_FALSE(canMerge(F, profileOf(F, L), L, {MergeOf::Threads, D, 2}));
}

TEST(MergeWork, NeighboursMakeOneWiderAccess) {
  const KernelFacts F = rowOfColumns();
  const Launch L = launchOf({64, 1, 1}, {32, 8, 1});
  const ExecutionProfile P = profileOf(F, L);
  const KernelVariant V =
      cantFail(mergeWork({MergeOf::Neighbours, 0, 4}).Apply({F, P, L}));
  cantFail(verifyFacts(V.Facts));
  ASSERT_EQ(V.Facts.Accesses.size(), 2u);
  for (size_t I = 0; I != 2; ++I) {
    EXPECT_EQ(V.Facts.Accesses[I].BytesPerLane, 16u);
    EXPECT_EQ(V.Profile.Accesses[I].SectorsPerRequest, 16);
    EXPECT_EQ(*V.Profile.Accesses[I].LaneStrideBytes, 16);
  }
  EXPECT_EQ(V.Launched.Grid->Value.X, 16u);
}

/// out[i] = the last of the words at \p Offsets of structures \p Stride bytes
/// apart, of threadIdx.x.
KernelFacts structures(ArrayRef<int64_t> Offsets, int64_t Stride) {
  Code C;
  const Operand X = C.special(SpecialReg::TidX);
  const Operand Out = C.parameter(0), In = C.parameter(8);
  const Operand From =
      Operand::value(C.add(Semantics::MadWideU, InstClass::IMadWide,
                           {X, Operand::immediate(Stride), In}, 64));
  uint32_t Load = 0;
  for (int64_t Offset : Offsets) {
    Load = C.access(AccessKind::Load, From);
    C.F.Accesses.back().OffsetBytes = Offset;
  }
  const Operand To =
      Operand::value(C.add(Semantics::MadWideU, InstClass::IMadWide,
                           {X, Operand::immediate(4), Out}, 64));
  const uint32_t Store = C.access(AccessKind::Store, To);
  C.F.Operations[Store].Operands.push_back(Operand::value(Load));
  C.F.Accesses.back().Stored = {Operand::value(Load)};
  C.exit();
  return std::move(C.F);
}

TEST(MergeWork, NeighboursOfStructuresAreFurtherApart) {
  // One of two words of each structure: 8 sectors.
  const KernelFacts F = structures({0}, 8);
  const Launch L = launchOf({64, 1, 1}, {32, 1, 1});
  const ExecutionProfile P = profileOf(F, L);
  EXPECT_EQ(P.Accesses[0].SectorsPerRequest, 8);
  EXPECT_EQ(bytesOfWholeStretches(F, P, 2)[0], 0u);
  const KernelVariant V =
      cantFail(mergeWork({MergeOf::Neighbours, 0, 2}).Apply({F, P, L}));
  ASSERT_EQ(V.Facts.Accesses.size(), 3u);
  for (size_t I = 0; I != 2; ++I) {
    EXPECT_EQ(V.Profile.Accesses[I].SectorsPerRequest, 16);
    EXPECT_EQ(*V.Profile.Accesses[I].LaneStrideBytes, 16);
    // What L2 is asked for stays.
    EXPECT_EQ(16 * (1 - V.Profile.Accesses[I].L1HitFraction),
              8 * (1 - P.Accesses[0].L1HitFraction));
  }
}

TEST(MergeWork, NeighboursLoadWholeStructuresAsWords) {
  const KernelFacts F = structures({0, 4}, 8);
  const Launch L = launchOf({64, 1, 1}, {32, 1, 1});
  const ExecutionProfile P = profileOf(F, L);
  EXPECT_EQ(bytesOfWholeStretches(F, P, 2)[0], 16u);
  EXPECT_EQ(bytesOfWholeStretches(F, P, 2)[2], 0u);
  const KernelVariant V =
      cantFail(mergeWork({MergeOf::Neighbours, 0, 2}).Apply({F, P, L}));
  EXPECT_EQ(V.Profile.Accesses[0].SectorsPerRequest, 8);
}

TEST(MergeWork, AtomicsAreOfEachThread) {
  KernelFacts F = rowOfColumns();
  F.Accesses[0].Kind = AccessKind::Atomic;
  const Launch L = launchOf({64, 1, 1}, {32, 8, 1});
  const KernelVariant V = cantFail(
      mergeWork({MergeOf::Threads, 1, 4}).Apply({F, profileOf(F, L), L}));
  EXPECT_EQ(V.Facts.Accesses.size(), 8u);
}

} // namespace
