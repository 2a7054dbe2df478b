//===- MergeLaunches.cpp - One launch in place of many --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/MergeLaunches.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// Blocks along y or z that a grid can have.
static constexpr uint64_t MostAlongOthers = 65535;

static void enlargeGrid(Launch &L, uint64_t Launches) {
  Sourced<Dim3> Grid = *L.Grid;
  const bool FitsOthers = Launches <= MostAlongOthers;
  if (Grid.Value.Y == 1 && FitsOthers)
    Grid.Value.Y = Launches;
  else if (Grid.Value.Z == 1 && FitsOthers)
    Grid.Value.Z = Launches;
  else
    Grid.Value.X *= Launches;
  L.Grid = std::move(Grid);
  L.LaunchesInLoop = 1;
}

static void multiply(Known<double> &Value, double By) {
  if (Value)
    Value = *Value * By;
}

Change gpuocc::mergeLaunches() {
  auto Apply = [](KernelVariant V) -> Expected<KernelVariant> {
    const uint64_t Launches = V.Launched.LaunchesInLoop;
    if (Launches <= 1 || !V.Launched.Grid)
      return createStringError("it is launched in no loop");
    const double By = double(Launches);
    for (WarpSample &Sample : V.Profile.Samples) {
      Sample.Weight *= By;
      for (double &Weight : Sample.WeightOfTurn)
        Weight *= By;
    }
    multiply(V.Profile.FootprintReadBytes, By);
    multiply(V.Profile.FootprintWrittenBytes, By);
    for (AccessProfile &A : V.Profile.Accesses) {
      multiply(A.GridSectors, By);
      multiply(A.GridSpanBytes, By);
      // Launches in loops are small: theirs run together once merged.
      multiply(A.WaveSectors, By);
      multiply(A.WaveSpanBytes, By);
    }
    enlargeGrid(V.Launched, Launches);
    return std::move(V);
  };
  return {ChangeKind::MergeLaunches, Apply};
}
