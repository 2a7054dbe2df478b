//===- Price.cpp - What mending a finding would bring ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "DecidingArguments.h"
#include "Geometry.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Caches/EstimateCaches.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/DiagnosisText.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

Price gpuocc::priceOf(const Case &C) {
  Price P;
  P.WhereTaken = C.WhereTaken;
  if (!C.Deciding.empty())
    P.Undecided = undecidedText(C.Deciding);
  return P;
}

Price gpuocc::comparePredictions(const Case &C, const Prediction &Fixed,
                                 double WarpsInOne) {
  Price P = priceOf(C);
  P.BoundAfter = Fixed.Diagnosed.Unit;
  const Known<TimeEstimate> &Before = C.Predicted.Time, &After = Fixed.Time;
  if (Before && After && After->Ns > 0)
    P.Gain = Before->Ns / After->Ns;
  else if (C.Predicted.WarpsPerCycle > 0)
    P.Gain = Fixed.WarpsPerCycle * WarpsInOne / C.Predicted.WarpsPerCycle;
  return P;
}

std::optional<KernelVariant> gpuocc::changed(const Case &C,
                                             const Change &What) {
  Expected<KernelVariant> V = What.Apply({C.Facts, C.Profile, C.Launched});
  if (V)
    return std::move(*V);
  // Why a change cannot be made is no advice.
  consumeError(V.takeError());
  return std::nullopt;
}

bool gpuocc::canBeLaunched(const Case &C, const KernelVariant &V) {
  const BlockResources Block = blockResources(V.Facts, V.Launched);
  return launchProblems(C.Limits, Block).empty() &&
         occupancy(C.Limits, Block).BlocksPerSm != 0;
}

std::optional<KernelVariant> gpuocc::changedAndWalked(const Case &C,
                                                      const Change &What) {
  if (C.IsFixed || C.Facts.isInIssueOrder())
    return std::nullopt;
  std::optional<KernelVariant> V = changed(C, What);
  if (!V || !canBeLaunched(C, *V))
    return std::nullopt;
  const unsigned Blocks =
      occupancy(C.Limits, blockResources(V->Facts, V->Launched)).BlocksPerSm;
  V->Profile = profileLaunch(V->Facts, V->Launched,
                             geometryOf(C.Device, Blocks), C.Options.Lanes);
  return V;
}

Price gpuocc::priceVariant(const Case &C, KernelVariant Fixed,
                           double WarpsInOne) {
  Price P = comparePredictions(C,
                               C.Model.predict(Fixed.Facts, Fixed.Profile,
                                               Fixed.Launched,
                                               PredictDetail::Comparison),
                               WarpsInOne);
  if (C.Options.AdviseLaunches)
    P.Fixed = std::make_shared<const KernelVariant>(std::move(Fixed));
  return P;
}

Price gpuocc::price(const Case &C, const Change &What) {
  std::optional<KernelVariant> V = changed(C, What);
  return V ? priceVariant(C, std::move(*V)) : Price();
}

bool gpuocc::isTooSmall(const Case &C, RuleId Rule, const Price &Together) {
  return Together.Gain <
         std::min(C.Options.MinimumGain, C.Options.minimumGainOf(Rule));
}

void gpuocc::addPrice(FindingWriter &W, const Price &P) {
  if (!P.Undecided.empty()) {
    W.finding().Gain = Known<double>::unknown(P.Undecided);
    return;
  }
  W.finding().Gain = P.Gain;
  W.finding().BoundAfter = P.BoundAfter;
  W.finding().Fixed = P.Fixed;
  W.finding().EndsPlan = P.EndsPlan;
  W << (P.WhereTaken ? ". Estimated gain if all warps go there: "
                     : ". Estimated gain: ")
    << named(P.WhereTaken ? "GainThere" : "Gain", formatRatio(P.Gain))
    << " (then bound by " << named("BoundAfter", unitText(P.BoundAfter)) << ")";
}

void gpuocc::addPrice(FindingWriter &W, const Case &C, const Change &What) {
  std::optional<KernelVariant> V = changed(C, What);
  if (!V)
    return addPrice(W, Price());
  addPrice(W, C.Deciding.empty() ? priceVariant(C, std::move(*V)) : priceOf(C));
}
