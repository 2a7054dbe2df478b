//===- KernelVerdict.cpp - What limits the kernel -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/Kernel/KernelName.h"

using namespace gpuocc;
using namespace llvm;

void gpuocc::findKernelVerdict(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  FindingWriter W(RuleId::KernelVerdict, kernelLocation(C.Facts));
  W << "kernel '" << named("Kernel", qualifiedName(C.Facts.Demangled))
    << "' is " << named("Mode", modeText(P.What));
  if (P.What == Mode::ThroughputBound)
    W << " by " << named("Limiter", boundWord(P.What, P.Bounds.front().What));
  W << " on " << named("Device", C.Device.Name) << ": "
    << named("WarpsPerSm", Twine(P.WarpsPerSm))
    << " warps per SM are resident (limited by "
    << named("OccupancyLimiter", P.OccupancyLimiter) << "), ";
  // The grid decides when it cannot fill the SMs.
  constexpr double Few = 0.5;
  if (P.ActiveWarpsPerSm < Few * P.WarpsPerSm)
    W << named("ActiveWarps", formatNumber(P.ActiveWarpsPerSm))
      << " of them active with this grid, ";
  W << named("NeededWarps", formatWarps(P.Needed.P90))
    << " reach 90 % of the bound";
  if (P.Time) {
    W << "; predicted " << named("Time", formatTime(P.Time->Ns));
    if (C.Launched.Grid)
      W << " for grid " << named("Grid", formatDim(C.Launched.Grid->Value))
        << ", block " << named("Block", formatDim(C.Launched.Block.Value));
  } else {
    W << "; block " << named("Block", formatDim(C.Launched.Block.Value)) << " ("
      << named("BlockSource", C.Launched.Block.Source)
      << "), no time predicted: " << P.Time.reason();
  }
  Out.push_back(std::move(W.finding()));
}
