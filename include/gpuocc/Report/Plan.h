//===- Plan.h - Changes that pay one after the other -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_PLAN_H
#define GPUOCC_REPORT_PLAN_H

#include "gpuocc/Support/InstClass.h"
#include "gpuocc/Support/Known.h"
#include "gpuocc/Support/SourceLocation.h"
#include <string>
#include <vector>

namespace gpuocc {

/// The best single change of a kernel at this point of a plan.
struct PlanStep {
  /// Name of the rule that advises it.
  std::string Rule;
  SourceLocation Location;
  /// The message of its finding, without the price.
  std::string What;
  /// Predicted time when this and all steps before are made.
  double TimeNs = 0;
  /// Speed-up over the step before.
  double Gain = 1;
  /// What the kernel is bound by then.
  Resource BoundAfter = Resource::Latency;
  bool operator==(const PlanStep &) const = default;
};

/// The time that no change of the plan goes below: the kernel has to move its
/// data once and to do its arithmetic.
struct PlanCeiling {
  Resource Unit = Resource::Dram;
  double TimeNs = 0;
  bool operator==(const PlanCeiling &) const = default;
};

/// The best change, then the best on top of it, and so on.
struct Plan {
  double BeforeNs = 0;
  std::vector<PlanStep> Steps;
  Known<PlanCeiling> Ceiling =
      Known<PlanCeiling>::unknown("neither data nor arithmetic is counted");

  double afterNs() const {
    return Steps.empty() ? BeforeNs : Steps.back().TimeNs;
  }
  bool operator==(const Plan &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_REPORT_PLAN_H
