//===- TailEffect.cpp - The last wave leaves SMs idle ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"

using namespace gpuocc;
using namespace llvm;

void gpuocc::findTailEffect(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  if (!P.Time || !C.Launched.Grid || P.Time->TailNs <= 0 || P.Time->Ns <= 0)
    return;
  FindingWriter W(RuleId::TailEffect, kernelLocation(C.Facts));
  W << "the grid of " << named("Blocks", Twine(C.Launched.Grid->Value.count()))
    << " blocks is " << named("Waves", formatNumber(P.Time->Waves))
    << " waves; the partly filled end takes "
    << named("TailTime", formatTime(P.Time->TailNs)) << " of "
    << named("Time", formatTime(P.Time->Ns))
    << "; choose a grid that fills whole waves, or smaller blocks";
  Price Price;
  Price.Gain = P.Time->Ns / (P.Time->Ns - P.Time->TailNs);
  Price.BoundAfter = P.Diagnosed.Unit;
  addPrice(W, Price);
  Out.push_back(std::move(W.finding()));
}
