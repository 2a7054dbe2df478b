//===- RuleNames.h - Rules by their names -----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_RULENAMES_H
#define GPUOCC_REPORT_RULENAMES_H

#include "gpuocc/Report/Report.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace gpuocc {

/// The names of all rules, in the order of RuleId.
std::vector<llvm::StringRef> ruleNames();

/// The rule called \p Name. Fails naming the nearest one where there is none.
llvm::Expected<RuleId> findRule(llvm::StringRef Name);

} // namespace gpuocc

#endif // GPUOCC_REPORT_RULENAMES_H
