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

/// True where \p F names several things that other findings name one by one.
static bool namesSeveral(const Finding &F) {
  return any_of(F.Message, [](const Evidence &E) {
    return E.Key == "What" && StringRef(E.Text).contains(", ");
  });
}

std::optional<double> gpuocc::gainOfFindings(const KernelReport &R,
                                             ArrayRef<RuleId> Rules) {
  double Saved = 0, Product = 1;
  bool Found = false;
  auto IsInAnother = [&](const Finding &F) {
    return !namesSeveral(F) && any_of(R.Findings, [&](const Finding &Other) {
      return Other.Rule == F.Rule && namesSeveral(Other);
    });
  };
  for (const Finding &F : R.Findings)
    if (F.Gain && *F.Gain > 0 && is_contained(Rules, F.Rule) &&
        !IsInAnother(F)) {
      Found = true;
      Saved += 1 - 1 / *F.Gain;
      Product *= *F.Gain;
    }
  if (!Found)
    return std::nullopt;
  return Saved < 1 ? std::max(Product, 1 / (1 - Saved)) : Product;
}

static std::string offText(std::optional<double> Predicted, double Measured) {
  return Predicted ? formatv("{0:f2}", *Predicted / Measured).str() : "";
}

PairErrors gpuocc::errorsOf(ArrayRef<PairGain> Pairs,
                            std::optional<double> PairGain::*Predicted) {
  std::vector<double> Errors, Factors;
  for (const PairGain &P : Pairs)
    if (const std::optional<double> &Gain = P.*Predicted) {
      Errors.push_back(std::abs(*Gain / P.Measured - 1));
      Factors.push_back(timesOff(*Gain, P.Measured));
    }
  return {Errors.size(), quantile(Errors, 0.5).value_or(0),
          quantile(Factors, 1).value_or(1)};
}

static void printSummary(StringRef Title, const PairErrors &E,
                         raw_ostream &OS) {
  if (E.NumPairs != 0)
    OS << formatv("{0}: {1} pairs, median error {2:f1} % (target 10 %), worst "
                  "{3:f2}x (target 1.40x)\n",
                  Title, E.NumPairs, 100 * E.Median, E.WorstTimesOff);
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
  printSummary("gains that findings promise",
               errorsOf(Pairs, &PairGain::OfFindings), OS);
  printSummary("ratios of predicted times", errorsOf(Pairs, &PairGain::OfTimes),
               OS);
}

static void writeErrors(StringRef Key, const PairErrors &E, json::OStream &J) {
  J.attributeObject(Key, [&] {
    J.attribute("pairs", E.NumPairs);
    J.attribute("median_error", E.Median);
    J.attribute("worst_times_off", E.WorstTimesOff);
  });
}

void gpuocc::writePairGains(ArrayRef<PairGain> Pairs, json::OStream &J) {
  auto Optional = [](std::optional<double> Gain) -> json::Value {
    return Gain ? json::Value(*Gain) : nullptr;
  };
  J.object([&] {
    J.attributeArray("pairs", [&] {
      for (const PairGain &P : Pairs)
        J.object([&] {
          J.attribute("pair", P.Name);
          J.attribute("measured", P.Measured);
          J.attribute("findings", Optional(P.OfFindings));
          J.attribute("times", Optional(P.OfTimes));
        });
    });
    J.attributeObject("summary", [&] {
      writeErrors("findings", errorsOf(Pairs, &PairGain::OfFindings), J);
      writeErrors("times", errorsOf(Pairs, &PairGain::OfTimes), J);
    });
  });
}
