//===- Price.cpp - What mending a finding would bring ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/DiagnosisText.h"

using namespace gpuocc;
using namespace llvm;

Price gpuocc::comparePredictions(const Case &C, const Prediction &Mended) {
  Price P;
  P.BoundAfter = Mended.Diagnosed.Unit;
  const Known<TimeEstimate> &Before = C.Predicted.Time, &After = Mended.Time;
  if (Before && After && After->Ns > 0)
    P.Gain = Before->Ns / After->Ns;
  else if (C.Predicted.WarpsPerCycle > 0)
    P.Gain = Mended.WarpsPerCycle / C.Predicted.WarpsPerCycle;
  return P;
}

Price gpuocc::priceProfile(const Case &C, const ExecutionProfile &Mended) {
  return comparePredictions(C, C.Model.predict(C.Facts, Mended, C.Launched,
                                               PredictDetail::Comparison));
}

Price gpuocc::priceFacts(const Case &C, const KernelFacts &Facts,
                         const ExecutionProfile &Profile) {
  return comparePredictions(C, C.Model.predict(Facts, Profile, C.Launched,
                                               PredictDetail::Comparison));
}

Price gpuocc::priceLaunch(const Case &C, const Launch &Mended) {
  return comparePredictions(C, C.Model.predict(C.Facts, C.Profile, Mended,
                                               PredictDetail::Comparison));
}

void gpuocc::addPrice(FindingWriter &W, const Price &P) {
  W.finding().Gain = P.Gain;
  W.finding().BoundAfter = resourceKey(P.BoundAfter).str();
  W << ". Estimated gain: " << named("Gain", formatRatio(P.Gain))
    << " (then bound by " << named("BoundAfter", unitText(P.BoundAfter)) << ")";
}
