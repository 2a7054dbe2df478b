//===- LaunchBoundsAdvice.cpp - Launch bounds and block sizes that pay ----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Geometry.h"
#include "Price.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Model/Predict.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// Advice is given from this speed-up on; less is within what the model can
/// tell apart.
static constexpr double WorthwhileGain = 1.02;

namespace {

/// Another way to compile or launch the kernel.
struct Alternative {
  ResourceUse Resources;
  Dim3 Block;
  Prediction Predicted;
  Price Gain;
};

} // namespace

static bool spillsMore(const ResourceUse &A, const ResourceUse &B) {
  return A.SpillLoadBytes + A.SpillStoreBytes >
         B.SpillLoadBytes + B.SpillStoreBytes;
}

/// The kernel under each register limit that lets more warps in and does not
/// spill more; what is spilled would have to be priced line by line.
static std::vector<Alternative> underRegisterLimits(const Case &C) {
  std::vector<Alternative> Found;
  for (const ResourceUse &Use : C.Facts.LimitedResources) {
    if (spillsMore(Use, C.Facts.Resources))
      continue;
    BlockResources Block = C.Block;
    Block.RegistersPerThread = Use.RegistersPerThread;
    if (occupancy(C.Limits, Block).WarpsPerSm <= C.Predicted.WarpsPerSm)
      continue;
    KernelFacts Facts = C.Facts;
    Facts.Resources = Use;
    Prediction P = predict(Facts, C.Profile, C.Launched, C.Device,
                           PredictDetail::Comparison);
    Price Gain = comparePredictions(C, P);
    Found.push_back({Use, C.Launched.Block.Value, std::move(P), Gain});
  }
  return Found;
}

/// True when the kernel computes with the size of its block as it finds it, and
/// its threads do not work together: then any size does the same work.
static bool adaptsToBlocks(const Case &C) {
  bool ReadsSize = any_of(C.Facts.Operations, [](const Operation &Op) {
    return Op.SReg == SpecialReg::NTidX;
  });
  bool WorksTogether =
      C.Block.sharedBytes() != 0 || C.Facts.Bounds.Cluster[0] != 0 ||
      any_of(C.Facts.Operations, [](const Operation &Op) {
        return any_of(Op.Emits, [](const Emission &E) {
          return E.Class == InstClass::Barrier || E.Class == InstClass::Shfl ||
                 E.Class == InstClass::Vote;
        });
      });
  const Dim3 &Block = C.Launched.Block.Value;
  return ReadsSize && !WorksTogether && Block.Y == 1 && Block.Z == 1 &&
         C.Facts.Bounds.RequiredBlock[0] == 0;
}

static std::vector<Alternative> withOtherBlocks(const Case &C) {
  std::vector<Alternative> Found;
  if (!adaptsToBlocks(C))
    return Found;
  uint64_t Own = C.Launched.Block.Value.X;
  for (uint64_t Threads : {64, 128, 256, 512, 1024}) {
    unsigned Most = C.Facts.Bounds.MaxThreads;
    if (Threads == Own || (Most != 0 && Threads > Most))
      continue;
    Launch L = C.Launched;
    L.Block.Value.X = Threads;
    if (L.Grid) {
      Sourced<Dim3> Grid = *L.Grid;
      Grid.Value.X = (Grid.Value.X * Own + Threads - 1) / Threads;
      L.Grid = std::move(Grid);
    }
    BlockResources Block = blockResources(C.Facts, L);
    if (!launchProblems(C.Limits, Block).empty())
      continue;
    ExecutionProfile Profile = profileLanes(
        C.Facts, L,
        geometryOf(C.Device, occupancy(C.Limits, Block).BlocksPerSm),
        C.Options.Lanes);
    Prediction P =
        predict(C.Facts, Profile, L, C.Device, PredictDetail::Comparison);
    Price Gain = comparePredictions(C, P);
    Found.push_back({C.Facts.Resources, L.Block.Value, std::move(P), Gain});
  }
  return Found;
}

/// Why nothing is to be changed.
static void writeNothingPays(const Case &C, FindingWriter &W) {
  const Prediction &P = C.Predicted;
  unsigned Most = C.Limits.MaxWarpsPerSm.value_or(0);
  W << "leave launch bounds and block size as they are: ";
  if (P.Bounds.empty()) {
    W << "nothing is known to bound the kernel";
    return;
  }
  std::string Bound = boundWord(Mode::ThroughputBound, P.Bounds.front().What);
  W << named("NeededWarps", formatWarps(P.Needed.P90))
    << " warps per SM reach 90 % of the bound by " << Bound << ", "
    << named("WarpsPerSm", Twine(P.WarpsPerSm)) << " are resident";
  if (P.Needed.P90 <= P.WarpsPerSm) {
    W << ", so more occupancy is useless";
    return;
  }
  if (P.WarpsPerSm >= Most) {
    W << " and no SM holds more; fewer warps with more independent work each "
         "would be better";
    return;
  }
  if (C.Facts.Resources.IsEstimate) {
    W << "; whether fewer registers let more in cannot be told without ptxas";
    return;
  }
  const ResourceUse *Spilling = nullptr;
  for (const ResourceUse &Use : C.Facts.LimitedResources)
    if (!Spilling && spillsMore(Use, C.Facts.Resources))
      Spilling = &Use;
  if (Spilling)
    W << "; with " << named("Registers", Twine(Spilling->RegistersPerThread))
      << " registers per thread "
      << named("SpillBytes",
               Twine(Spilling->SpillLoadBytes + Spilling->SpillStoreBytes))
      << " B are spilled, so give each warp more independent work instead";
  else
    W << "; neither registers nor block size bring a gain";
}

void gpuocc::findLaunchBoundsAdvice(const Case &C, Findings &Out) {
  if (!C.Options.AdviseLaunches)
    return;
  std::vector<Alternative> Ways = underRegisterLimits(C);
  for (Alternative &Other : withOtherBlocks(C))
    Ways.push_back(std::move(Other));
  const Alternative *Best = nullptr;
  for (const Alternative &Way : Ways)
    if (Way.Gain.Gain >= WorthwhileGain &&
        (!Best || Way.Gain.Gain > Best->Gain.Gain))
      Best = &Way;
  FindingWriter W(RuleId::LaunchBoundsAdvice, kernelLocation(C.Facts));
  if (!Best) {
    writeNothingPays(C, W);
    Out.push_back(std::move(W.finding()));
    return;
  }
  bool SameBlock = Best->Block == C.Launched.Block.Value;
  if (SameBlock)
    W << "set __launch_bounds__("
      << named("Threads", Twine(C.Launched.threadsPerBlock())) << ", "
      << named("BlocksPerSm", Twine(Best->Predicted.BlocksPerSm)) << ")";
  else
    W << "launch blocks of " << named("Threads", Twine(Best->Block.count()))
      << " threads instead of " << Twine(C.Launched.threadsPerBlock());
  W << ": " << named("WarpsAfter", Twine(Best->Predicted.WarpsPerSm))
    << " warps per SM are resident instead of "
    << named("WarpsPerSm", Twine(C.Predicted.WarpsPerSm));
  if (SameBlock)
    W << ", with "
      << named("Registers", Twine(Best->Resources.RegistersPerThread))
      << " registers per thread instead of "
      << Twine(C.Facts.Resources.RegistersPerThread) << " ("
      << named("RegistersFrom", Best->Resources.Source) << ")";
  addPrice(W, Best->Gain);
  Out.push_back(std::move(W.finding()));
}
