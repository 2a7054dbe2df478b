//===- Price.cpp - What mending a finding would bring ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/DiagnosisText.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

Price gpuocc::comparePredictions(const Case &C, const Prediction &Mended,
                                 double WarpsInOne) {
  Price P;
  P.WhereTaken = C.WhereTaken;
  P.BoundAfter = Mended.Diagnosed.Unit;
  const Known<TimeEstimate> &Before = C.Predicted.Time, &After = Mended.Time;
  if (Before && After && After->Ns > 0)
    P.Gain = Before->Ns / After->Ns;
  else if (C.Predicted.WarpsPerCycle > 0)
    P.Gain = Mended.WarpsPerCycle * WarpsInOne / C.Predicted.WarpsPerCycle;
  return P;
}

static Price pricePrediction(const Case &C, const KernelFacts &Facts,
                             const ExecutionProfile &Profile, const Launch &L,
                             double WarpsInOne = 1) {
  Price P = comparePredictions(
      C, C.Model.predict(Facts, Profile, L, PredictDetail::Comparison),
      WarpsInOne);
  if (C.Options.AdviseLaunches)
    P.Mended =
        std::make_shared<const KernelVariant>(KernelVariant{Facts, Profile, L});
  return P;
}

Price gpuocc::priceVariant(const Case &C, KernelVariant Mended,
                           double WarpsInOne) {
  return pricePrediction(C, Mended.Facts, Mended.Profile, Mended.Launched,
                         WarpsInOne);
}

Price gpuocc::priceProfile(const Case &C, const ExecutionProfile &Mended) {
  return pricePrediction(C, C.Facts, Mended, C.Launched);
}

Price gpuocc::priceFacts(const Case &C, const KernelFacts &Facts,
                         const ExecutionProfile &Profile) {
  return pricePrediction(C, Facts, Profile, C.Launched);
}

Price gpuocc::priceLaunch(const Case &C, const Launch &Mended) {
  return pricePrediction(C, C.Facts, C.Profile, Mended);
}

bool gpuocc::isTooSmall(const Case &C, RuleId Rule, const Price &Together) {
  return Together.Gain <
         std::min(C.Options.MinimumGain, C.Options.minimumGainOf(Rule));
}

void gpuocc::addPrice(FindingWriter &W, const Price &P) {
  W.finding().Gain = P.Gain;
  W.finding().BoundAfter = resourceKey(P.BoundAfter).str();
  W.finding().Mended = P.Mended;
  W << (P.WhereTaken ? ". Estimated gain if all warps go there: "
                     : ". Estimated gain: ")
    << named(P.WhereTaken ? "GainThere" : "Gain", formatRatio(P.Gain))
    << " (then bound by " << named("BoundAfter", unitText(P.BoundAfter)) << ")";
}
