//===- TensorCore.cpp - Multiply-adds that tensor cores could do ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Price.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/WhatIf/TensorCores.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <optional>

using namespace gpuocc;
using namespace llvm;

/// The change is a kernel of its own, and the price an upper bound.
static constexpr double WorthwhileTensorCore = 1.5;

/// The gain if \p Fixed keeps its busiest unit busy all the time: layouts,
/// tiles and loads ahead are those of another kernel. Plans do not go on from
/// it.
static std::optional<Price> mostGain(const Case &C,
                                     const KernelVariant &Fixed) {
  const Prediction After = C.Model.predict(
      Fixed.Facts, Fixed.Profile, Fixed.Launched, PredictDetail::Comparison);
  const Known<double> SmCount = C.Device.get(Quantity::SmCount);
  const Known<double> Mhz = C.Device.get(Quantity::SmClockMhz);
  if (After.Bounds.empty() || !SmCount || !Mhz)
    return std::nullopt;
  const Bound &Busiest = After.Bounds.front();
  Price P = priceOf(C);
  P.BoundAfter = Busiest.What;
  if (!C.Predicted.Time || !C.Launched.Grid) {
    P.Gain = 1 / (Busiest.CyclesPerWarp * C.Predicted.WarpsPerCycle);
    return P;
  }
  constexpr double GigaPerMega = 1e-3;
  const double Blocks =
      std::ceil(double(C.Launched.Grid->Value.count()) / *SmCount);
  const double Cycles =
      Busiest.CyclesPerWarp * Blocks * double(C.Launched.warpsPerBlock());
  P.Gain = C.Predicted.Time->Ns /
           (C.Predicted.Time->LaunchNs + Cycles / (*Mhz * GigaPerMega));
  return P;
}

void gpuocc::findTensorCore(const Case &C, Findings &Out) {
  constexpr double Most = 0.5;
  if (C.Facts.isInIssueOrder())
    return;
  const KernelVariant V{C.Facts, C.Profile, C.Launched};
  const std::vector<uint32_t> Products = productsOfMatrices(V);
  const double Share = shareOfProducts(V, Products);
  if (Products.empty() || Share < Most)
    return;
  const Operation &First = C.Facts.Operations[Products.front()];
  const TensorForm &Form = *tensorFormOf(C.Facts, First);
  if (architectureNumber(C.Facts.Architecture) < Form.FirstArchitecture)
    return;
  const std::optional<KernelVariant> Changed =
      changed(C, useTensorCores(Products));
  const std::optional<Price> P = Changed ? mostGain(C, *Changed) : std::nullopt;
  if (!P || P->Gain < WorthwhileTensorCore)
    return;
  FindingWriter W(RuleId::TensorCore,
                  locationOrKernel(C.Facts, First.Location));
  W << named("Share", formatPercent(Share))
    << " of the multiply-adds are a product of matrices, with one factor of "
       "the row and one of the column of a thread; tensor cores multiply in "
    << named("Form", Form.Text)
    << ": use wmma, mma.sync or a library. What follows is an upper bound, for "
       "the same traffic and no latency";
  addPrice(W, *P);
  Out.push_back(std::move(W.finding()));
}
