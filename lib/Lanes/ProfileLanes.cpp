//===- ProfileLanes.cpp - Evaluate a kernel for one launch ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lanes/ProfileLanes.h"
#include "LaunchInputs.h"
#include "Recorder.h"
#include "Slice.h"
#include "WarpPlan.h"
#include "WarpWalker.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

ExecutionProfile gpuocc::profileLanes(const KernelFacts &Facts,
                                      const Launch &L,
                                      const MemoryGeometry &Geometry,
                                      const LanesOptions &Options) {
  ExecutionProfile Profile;
  Slice S = sliceKernel(Facts);
  LaunchInputs Inputs(Facts, L, Options, S);
  unsigned WarpsPerBlock = Inputs.warpsPerBlock();

  // A kernel that is long without loops gets fewer warps.
  uint64_t OneWarp = std::max<uint64_t>(1, S.Ops.size());
  unsigned MaxWarps = unsigned(std::clamp<uint64_t>(
      Options.MaxSteps / OneWarp, 1, std::max(1u, Options.MaxWarps)));
  std::vector<PlannedWarp> Plan =
      planWarps(Inputs.grid(), WarpsPerBlock,
                edgeCuts(Inputs.grid(), S.UsesCtaId), MaxWarps);

  WalkLimits Limits;
  Limits.MaxIterations = Options.MaxIterations;
  Limits.MaxSteps = std::max<uint64_t>(1, Options.MaxSteps / Plan.size());
  WarpWalker Walker(Facts, S, Inputs, Limits);
  Recorder R(Facts, Geometry);
  for (const PlannedWarp &W : Plan) {
    R.beginWarp(W.BlockIndex, W.WarpInBlock, W.Class, W.Weight);
    Walker.walk(W.BlockIndex, W.WarpInBlock, W.Weight, R);
    R.endWarp();
  }
  R.finish(double(Inputs.grid().count()) * WarpsPerBlock, Inputs, Profile);
  Profile.Assumptions = Inputs.assumptions();
  return Profile;
}
