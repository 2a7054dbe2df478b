//===- TailEffect.cpp - The last wave leaves SMs idle ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Model/Predict.h"

using namespace gpuocc;
using namespace llvm;

/// Blocks that the chip holds at once.
static uint64_t blocksPerWave(const Case &C) {
  const Known<double> Sms = C.Device.get(Quantity::SmCount);
  return Sms ? uint64_t(*Sms) * C.Predicted.BlocksPerSm : 0;
}

/// The price of a grid of \p Waves full waves whose blocks share the work: it
/// takes as much longer than one of as many of the blocks that are there as
/// they do more, but for its launch.
static Price priceFullWaves(const Case &C, uint64_t Waves) {
  double Blocks = double(Waves * blocksPerWave(C));
  Launch Full = C.Launched;
  Full.Grid = Sourced<Dim3>{{uint64_t(Blocks), 1, 1}, "full waves"};
  Prediction P =
      C.Model.predict(C.Facts, C.Profile, Full, PredictDetail::Comparison);
  double MoreWork = double(C.Launched.Grid->Value.count()) / Blocks;
  if (P.Time) {
    TimeEstimate T = *P.Time;
    T.Ns = T.LaunchNs + (T.Ns - T.LaunchNs) * MoreWork;
    P.Time = T;
  }
  return comparePredictions(C, P);
}

void gpuocc::findTailEffect(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  uint64_t PerWave = blocksPerWave(C);
  if (!P.Time || !C.Launched.Grid || P.Time->TailNs <= 0 ||
      P.Time->Ns <= P.Time->TailNs || PerWave == 0)
    return;
  // No grid that fills its waves saves more than the last wave.
  if (P.Time->Ns / (P.Time->Ns - P.Time->TailNs) < C.Options.MinimumGain)
    return;
  uint64_t Blocks = C.Launched.Grid->Value.count();
  uint64_t Waves = Blocks / PerWave, Rest = Blocks % PerWave;
  Price Fewer = priceFullWaves(C, Waves), More = priceFullWaves(C, Waves + 1);
  bool IsMore = More.Gain > Fewer.Gain;
  FindingWriter W(RuleId::TailEffect, kernelLocation(C.Facts));
  W << "the grid of " << named("Blocks", Twine(Blocks)) << " "
    << plural(Blocks, "block") << " is " << formatCount(double(Waves), "wave")
    << " of " << named("BlocksPerWave", Twine(PerWave)) << " and "
    << formatCount(double(Rest), "block") << " more, which take "
    << named("TailTime", formatTime(P.Time->TailNs)) << " of "
    << named("Time", formatTime(P.Time->Ns)) << "; share the work among "
    << named("FullBlocks", Twine((Waves + IsMore) * PerWave))
    << " blocks, or use smaller ones";
  addPrice(W, IsMore ? More : Fewer);
  W << recordOnly("Waves", formatNumber(P.Time->Waves));
  Out.push_back(std::move(W.finding()));
}
