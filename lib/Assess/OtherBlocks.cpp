//===- OtherBlocks.cpp - The same work in other blocks ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OtherBlocks.h"
#include "CaseMemo.h"
#include "Geometry.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Caches/EstimateCaches.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/WhatIf/IndependentThreads.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

static constexpr uint64_t LanesPerWarp = 32;

bool gpuocc::hasIndependentThreads(const Case &C) {
  return hasIndependentThreads(C.Facts, C.Launched);
}

bool gpuocc::adaptsToBlocks(const Case &C) {
  return !C.IsFixed && adaptsToBlocks(C.Facts, C.Launched);
}

/// What \p L brings whose warps do what \p Profile says.
static OtherBlocks predictWith(const Case &C, ExecutionProfile Profile,
                               Launch L) {
  OtherBlocks Other;
  Other.Launched = std::move(L);
  Other.Predicted = C.Model.predict(C.Facts, Profile, Other.Launched,
                                    PredictDetail::Comparison);
  Other.Gain = comparePredictions(C, Other.Predicted);
  if (C.Options.AdviseLaunches)
    Other.Gain.Fixed = std::make_shared<const KernelVariant>(
        KernelVariant{C.Facts, std::move(Profile), Other.Launched});
  return Other;
}

/// True unless a thread of \p L has another share of the work.
static bool haveAsManyThreads(const Launch &A, const Launch &B) {
  if (!A.Grid || !B.Grid)
    return true;
  const uint64_t OfA = A.Grid->Value.count() * A.threadsPerBlock();
  const uint64_t OfB = B.Grid->Value.count() * B.threadsPerBlock();
  // The last block may have threads to spare.
  return std::max(OfA, OfB) - std::min(OfA, OfB) <
         std::max<uint64_t>(A.threadsPerBlock(), B.threadsPerBlock());
}

/// True when the blocks of \p C and those of \p L are rows of whole warps.
/// Threads that are numbered over the grid then meet in the same warps.
static bool haveSameWarps(const Case &C, const Launch &L) {
  const Dim3 &Own = C.Launched.Block.Value, &Other = L.Block.Value;
  return adaptsToBlocks(C) && haveAsManyThreads(C.Launched, L) &&
         Own.X % LanesPerWarp == 0 && Other.X % LanesPerWarp == 0 &&
         Other.Y == 1 && Other.Z == 1;
}

/// A first look at other blocks takes this share of the effort of a profile.
/// Source: the gains of 59 launches of public kernels came out within 0.3 % of
/// those that whole profiles give (clang 22, -O3, 2026-11-24).
static constexpr uint64_t TrialShare = 10;

/// \p L, walked with one \p Share of the effort.
static OtherBlocks walkAs(const Case &C, const Launch &L, uint64_t Share) {
  LanesOptions Lanes = C.Options.Lanes;
  Lanes.MaxSteps = std::max<uint64_t>(1, Lanes.MaxSteps / Share);
  const unsigned Blocks =
      occupancy(C.Limits, blockResources(C.Facts, L)).BlocksPerSm;
  return predictWith(
      C, profileLaunch(C.Facts, L, geometryOf(C.Device, Blocks), Lanes), L);
}

static std::optional<OtherBlocks> predictAs(const Case &C, const Launch &L) {
  if (!launchProblems(C.Limits, blockResources(C.Facts, L)).empty())
    return std::nullopt;
  // Warps that stay what they are need to be walked again only where that may
  // be worth a finding.
  if (haveSameWarps(C, L))
    if (OtherBlocks Same = predictWith(C, C.Profile, L);
        Same.Gain.Gain < C.Options.MinimumGain)
      return Same;
  OtherBlocks Trial = walkAs(C, L, TrialShare);
  std::optional<double> &Own = C.Memo->OwnTrialGain;
  if (!Own)
    Own = walkAs(C, C.Launched, TrialShare).Gain.Gain;
  Trial.Gain.Gain /= *Own;
  return Trial.Gain.Gain < C.Options.MinimumGain ? Trial : walkAs(C, L, 1);
}

/// What \p L differs in from other launches of a case.
static CaseMemo::Extents extentsOf(const Launch &L) {
  const Dim3 &Block = L.Block.Value;
  const Dim3 Grid = L.Grid ? L.Grid->Value : Dim3{0, 0, 0};
  return {Block.X, Block.Y, Block.Z, Grid.X, Grid.Y, Grid.Z};
}

std::optional<OtherBlocks> gpuocc::launchedAs(const Case &C, Launch L) {
  auto [Known, IsNew] = C.Memo->Launches.try_emplace(extentsOf(L));
  if (IsNew)
    Known->second = predictAs(C, L);
  return Known->second;
}

std::optional<OtherBlocks> gpuocc::inBlocksOf(const Case &C, uint64_t Threads) {
  const uint64_t Own = C.Launched.Block.Value.X;
  const unsigned Most = C.Facts.Bounds.MaxThreads;
  if (Threads == Own || (Most != 0 && Threads > Most))
    return std::nullopt;
  Launch L = C.Launched;
  L.Block.Value.X = Threads;
  if (L.Grid) {
    Sourced<Dim3> Grid = *L.Grid;
    Grid.Value.X = (Grid.Value.X * Own + Threads - 1) / Threads;
    L.Grid = std::move(Grid);
  }
  return launchedAs(C, std::move(L));
}
