//===- Rules.h - One function for each kind of finding ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_RULES_H
#define GPUOCC_LIB_ASSESS_RULES_H

#include "PricedFinding.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Report/RuleIds.h"
#include <functional>
#include <memory>

namespace gpuocc {

struct AssessOptions;
struct CaseMemo;
class Predictor;
class PricingBudget;

/// An empty memo (CaseMemo.h).
std::shared_ptr<CaseMemo> newCaseMemo();

/// What a rule may look at: a kernel, a launch, a device, and the model's
/// answer.
struct Case {
  const KernelFacts &Facts;
  /// The same without the code of its spills.
  const KernelFacts &Unspilled;
  const Launch &Launched;
  const ExecutionProfile &Profile;
  const Prediction &Predicted;
  const DeviceModel &Device;
  const ArchLimits &Limits;
  BlockResources Block;
  const AssessOptions &Options;
  /// Makes predictions for Device.
  Predictor &Model;
  PricingBudget &Budget;
  const Parallelism &InParallel;
  /// Facts or profile are those of a change that no reader has seen: addresses
  /// cannot be evaluated anew.
  bool IsFixed = false;
  /// It is no launch that is asked about, but one in which warps go where data
  /// lets few go: what it would gain says so.
  bool WhereTaken = false;
  std::shared_ptr<CaseMemo> Memo = newCaseMemo();
  /// Of which places findings are wanted; unset: of all.
  std::function<bool(const Finding &)> IsWanted = nullptr;
  /// Arguments that are not given and that decide what is predicted: nothing
  /// that is said of time holds then.
  std::vector<std::string> Deciding = {};
  /// The budget of questions is spent (see AssessOptions::Questions).
  bool LeavesQuestions = false;

  /// False for findings that nobody will see: a price is a prediction.
  bool wants(const Finding &F) const { return !IsWanted || IsWanted(F); }
};

/// Appends what it finds in \p C to \p Out.
using RuleFunction = void (*)(const Case &C, Findings &Out);

#define RULE(Enum, Remark, Title) void find##Enum(const Case &C, Findings &Out);
#include "gpuocc/Report/Rules.def"

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_RULES_H
