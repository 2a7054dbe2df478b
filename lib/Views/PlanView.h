//===- PlanView.h - Plans of changes in reports -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_PLANVIEW_H
#define GPUOCC_LIB_VIEWS_PLANVIEW_H

#include "gpuocc/Report/Plan.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace gpuocc {

/// `plan` of docs/report.schema.json; null where nobody asked for one.
llvm::json::Value planJSON(const Known<Plan> &P);

/// "from 241 us to 96 us in two steps; 88 us is what DRAM bandwidth allows".
std::string planText(const Plan &P, bool HasGains);

/// That and the steps, one a line.
void writePlan(const Plan &P, bool HasGains, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_PLANVIEW_H
