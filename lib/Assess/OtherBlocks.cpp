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
#include "gpuocc/Kernel/IndependentThreads.h"
#include "gpuocc/Model/Predict.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

bool gpuocc::hasIndependentThreads(const Case &C) {
  return hasIndependentThreads(C.Facts, C.Launched);
}

bool gpuocc::adaptsToBlocks(const Case &C) {
  return !C.IsMended && adaptsToBlocks(C.Facts, C.Launched);
}

static std::optional<OtherBlocks> predictAs(const Case &C, Launch L) {
  const BlockResources Block = blockResources(C.Facts, L);
  if (!launchProblems(C.Limits, Block).empty())
    return std::nullopt;
  ExecutionProfile Profile = profileLaunch(
      C.Facts, L, geometryOf(C.Device, occupancy(C.Limits, Block).BlocksPerSm),
      C.Options.Lanes);
  OtherBlocks Other;
  Other.Launched = std::move(L);
  Other.Predicted = C.Model.predict(C.Facts, Profile, Other.Launched,
                                    PredictDetail::Comparison);
  Other.Gain = comparePredictions(C, Other.Predicted);
  if (C.Options.AdviseLaunches)
    Other.Gain.Mended = std::make_shared<const KernelVariant>(
        KernelVariant{C.Facts, std::move(Profile), Other.Launched});
  return Other;
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
    Known->second = predictAs(C, std::move(L));
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
