//===- FindAll.cpp - All rules over one case ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FindAll.h"
#include "gpuocc/Assess/Assess.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// In the order in which findings without a price are shown.
static constexpr std::pair<RuleFunction, RuleId> RuleTable[] = {
#define RULE(Enum, Remark, Title) {find##Enum, RuleId::Enum},
#include "gpuocc/Report/Rules.def"
};

double AssessOptions::minimumGainOf(RuleId Rule) const {
  auto Own = MinimumGainOfRule.find(ruleName(Rule).str());
  return Own == MinimumGainOfRule.end() ? MinimumGain : Own->second;
}

static bool isHidden(const Finding &F, const AssessOptions &Options) {
  if (is_contained(Options.Suppress, ruleName(F.Rule)))
    return true;
  return F.Gain && *F.Gain < Options.minimumGainOf(F.Rule);
}

/// Verdict first, then by gain; findings without one keep their order.
static Findings sorted(Findings Found) {
  using Key = std::tuple<bool, bool, double, size_t>;
  std::vector<Key> Order;
  for (size_t I = 0; I != Found.size(); ++I) {
    const PricedFinding &F = Found[I];
    Order.emplace_back(F.Rule != RuleId::KernelVerdict, !F.Gain,
                       -F.Gain.valueOr(0), I);
  }
  llvm::sort(Order);
  Findings Out;
  for (const Key &K : Order)
    Out.push_back(std::move(Found[std::get<size_t>(K)]));
  return Out;
}

Findings gpuocc::findAll(const Case &C, Findings Others) {
  Findings Found = std::move(Others);
  for (const auto &[Find, Rule] : RuleTable)
    if (!is_contained(C.Options.Suppress, ruleName(Rule)))
      Find(C, Found);
  erase_if(Found,
           [&](const PricedFinding &F) { return isHidden(F, C.Options); });
  return sorted(std::move(Found));
}
