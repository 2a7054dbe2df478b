//===- PairGains.cpp - Predicted and measured gains of pairs --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairGains.h"
#include "Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

std::optional<double> gpuocc::gainOfFindings(const KernelReport &R,
                                             ArrayRef<RuleId> Rules) {
  double Saved = 0, Product = 1;
  bool Found = false;
  for (const Finding &F : R.Findings)
    if (F.Gain && *F.Gain > 0 && is_contained(Rules, F.Rule)) {
      Found = true;
      Saved += 1 - 1 / *F.Gain;
      Product *= *F.Gain;
    }
  if (!Found)
    return std::nullopt;
  return Saved < 1 ? std::max(Product, 1 / (1 - Saved)) : Product;
}

static std::string gainText(std::optional<double> Gain) {
  return Gain ? formatv("{0:f2}", *Gain).str() : "-";
}

static std::string offText(std::optional<double> Predicted, double Measured) {
  return Predicted ? formatv("{0:f2}", *Predicted / Measured).str() : "";
}

static void printSummary(StringRef Title,
                         std::optional<double> PairGain::*Predicted,
                         ArrayRef<PairGain> Pairs, raw_ostream &OS) {
  std::vector<double> Errors, Factors;
  for (const PairGain &P : Pairs)
    if (const std::optional<double> &Gain = P.*Predicted) {
      Errors.push_back(std::abs(*Gain / P.Measured - 1));
      Factors.push_back(timesOff(*Gain, P.Measured));
    }
  if (Errors.empty())
    return;
  OS << formatv("{0}: {1} pairs, median error {2:f1} % (target 10 %), worst "
                "{3:f2}x (target 1.40x)\n",
                Title, Errors.size(), 100 * *quantile(Errors, 0.5),
                *quantile(Factors, 1));
}

void gpuocc::printPairGains(ArrayRef<PairGain> Pairs, raw_ostream &OS) {
  OS << formatv("{0,-28} {1,9} {2,9} {3,6} {4,9} {5,6}\n", "pair", "measured",
                "findings", "off", "times", "off");
  for (const PairGain &P : Pairs)
    OS << formatv("{0,-28} {1,9:f2} {2,9} {3,6} {4,9} {5,6}\n", P.Name,
                  P.Measured, gainText(P.OfFindings),
                  offText(P.OfFindings, P.Measured), gainText(P.OfTimes),
                  offText(P.OfTimes, P.Measured));
  OS << '\n';
  printSummary("gains that findings promise", &PairGain::OfFindings, Pairs, OS);
  printSummary("ratios of predicted times", &PairGain::OfTimes, Pairs, OS);
}
