//===- PriceMerge.cpp - The price of more work in a thread ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PriceMerge.h"
#include "CaseMemo.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Model/RegisterFiles.h"
#include "gpuocc/WhatIf/SlidingWindow.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

bool gpuocc::estimateMoreRegisters(const Case &C, KernelFacts &Fixed) {
  const RegisterFile File = registerFile(C.Limits);
  std::optional<unsigned> &Before = C.Memo->EstimatedRegisters;
  if (!Before)
    Before = estimateRegisters(C.Facts, File);
  const unsigned After = estimateRegisters(Fixed, File);
  if (After >= File.MostPerThread)
    return false;
  const int More = int(After) - int(*Before);
  const int Registers =
      std::max(int(FewestRegisters),
               int(C.Facts.Resources.RegistersPerThread) + std::max(0, More));
  if (Registers > int(File.MostPerThread))
    return false;
  Fixed.Resources.RegistersPerThread = unsigned(Registers);
  Fixed.Resources.IsEstimate |= More > 0;
  return true;
}

void gpuocc::estimateFewerRegisters(const Case &C, KernelFacts &Fixed) {
  const RegisterFile File = registerFile(C.Limits);
  std::optional<unsigned> &Before = C.Memo->EstimatedRegisters;
  if (!Before)
    Before = estimateRegisters(C.Facts, File);
  const unsigned After = estimateRegisters(Fixed, File);
  unsigned &Registers = Fixed.Resources.RegistersPerThread;
  if (After >= *Before)
    return;
  Registers = std::max(FewestRegisters,
                       Registers - std::min(Registers, *Before - After));
  Fixed.Resources.IsEstimate = true;
}

std::optional<PricedMerge> gpuocc::priceMerge(const Case &C, const Merge &M) {
  std::optional<KernelVariant> Kernel = changed(
      C, mergeWork(M, windowedLoads(C.Facts, C.Profile, C.Launched, M)));
  if (!Kernel || !estimateMoreRegisters(C, Kernel->Facts) ||
      !canBeLaunched(C, *Kernel))
    return std::nullopt;
  PricedMerge Out{M, std::move(*Kernel), {}, {}};
  Out.Predicted =
      C.Model.predict(Out.Kernel.Facts, Out.Kernel.Profile, Out.Kernel.Launched,
                      PredictDetail::Comparison);
  Out.Gain = comparePredictions(C, Out.Predicted, M.Factor);
  // One thread saves no more than all the work of the others. Where merged
  // threads leave room for more blocks, more would be promised: those of
  // LaunchShape bring that, too.
  Out.Gain.Gain = std::min(Out.Gain.Gain, double(M.Factor));
  if (C.Options.AdviseLaunches)
    Out.Gain.Fixed = std::make_shared<const KernelVariant>(Out.Kernel);
  return Out;
}
