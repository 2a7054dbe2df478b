//===- PlanView.h - Plans of changes in reports -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_PLANVIEW_H
#define GPUOCC_LIB_VIEWS_PLANVIEW_H

#include "gpuocc/Report/Report.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace gpuocc {

/// What gains beside a plan.
enum class GainsBeside : uint8_t {
  None,
  /// Some gain that a plan does not try.
  Some,
  /// Data, arguments or trip counts that are not given decide what gains.
  Undecided,
};

/// `plan` of docs/report.schema.json, of which \p Others gain beside it; null
/// where nobody asked for one.
llvm::json::Value planJSON(const Known<Plan> &P, GainsBeside Others);

GainsBeside gainsBeside(const KernelReport &K);

/// "from 241 us to 96 us in two steps; 88 us is what DRAM bandwidth allows".
std::string planText(const Plan &P, GainsBeside Others);

/// That and the steps, one a line.
void writePlan(const Plan &P, GainsBeside Others, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_PLANVIEW_H
