//===- RuleIds.h - The kinds of findings -----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The names of the rules, apart from their type: a row added to Rules.def
/// rebuilds the code that names rules, not all that holds a finding.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_RULEIDS_H
#define GPUOCC_REPORT_RULEIDS_H

#include <cstdint>

namespace gpuocc {

/// Rows of Rules.def.
enum class RuleId : uint8_t {
#define RULE(Enum, Remark, Title) Enum,
#include "gpuocc/Report/Rules.def"
};

/// Number of rows in Rules.def.
constexpr unsigned NumRules = 0
#define RULE(Enum, Remark, Title) +1
#include "gpuocc/Report/Rules.def"
    ;

static_assert(RuleId{} == RuleId::KernelVerdict,
              "the first row of Rules.def is the verdict");

} // namespace gpuocc

#endif // GPUOCC_REPORT_RULEIDS_H
