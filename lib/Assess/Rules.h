//===- Rules.h - One function for each kind of finding ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_RULES_H
#define GPUOCC_LIB_ASSESS_RULES_H

#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/Report.h"

namespace gpuocc {

struct AssessOptions;
class Predictor;
class PricingBudget;

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
};

using Findings = std::vector<Finding>;

/// Appends what it finds in \p C to \p Out.
using RuleFunction = void (*)(const Case &C, Findings &Out);

void findKernelVerdict(const Case &C, Findings &Out);
void findNeededOccupancy(const Case &C, Findings &Out);
void findOccupancyLimit(const Case &C, Findings &Out);
void findInstructionMix(const Case &C, Findings &Out);
void findDependencyChain(const Case &C, Findings &Out);
void findLatencyBound(const Case &C, Findings &Out);
void findThroughputBound(const Case &C, Findings &Out);
void findUncoalescedAccess(const Case &C, Findings &Out);
void findBankConflict(const Case &C, Findings &Out);
void findDivergentBranch(const Case &C, Findings &Out);
void findDivergentLoop(const Case &C, Findings &Out);
void findSlowInstruction(const Case &C, Findings &Out);
void findLocalMemory(const Case &C, Findings &Out);
void findTailEffect(const Case &C, Findings &Out);
void findLaunchBoundsAdvice(const Case &C, Findings &Out);
void findPartialWarp(const Case &C, Findings &Out);
void findIdleSchedulers(const Case &C, Findings &Out);
void findAtomicContention(const Case &C, Findings &Out);
void findAssumption(const Case &C, Findings &Out);
void findNotAnalyzed(const Case &C, Findings &Out);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_RULES_H
