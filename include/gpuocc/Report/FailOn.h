//===- FailOn.h - What a gate does not let pass -----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_FAILON_H
#define GPUOCC_REPORT_FAILON_H

#include "gpuocc/Report/CompareReports.h"
#include "gpuocc/Report/Problems.h"
#include <optional>

namespace gpuocc {

/// What `--fail-on` was given.
struct FailOn {
  /// gain:F: a finding whose mending gains F times or more.
  std::optional<double> Gain;
  /// rule:NAME: any finding of these rules.
  std::vector<RuleId> Rules;
  /// slowdown:F: a kernel whose prediction grew by F times or more.
  std::optional<double> Slowdown;

  bool operator==(const FailOn &) const = default;
};

/// Reads a factor such as "1.3" into \p Out. Fails on what is no number of at
/// least 1.
llvm::Error parseFactor(llvm::StringRef Text, std::optional<double> &Out);

/// Adds the criterion \p Text, such as "gain:1.3", to \p Out. Fails on other
/// words, naming the nearest rule where one is misspelt, and on factors that
/// are no numbers of at least 1.
llvm::Error addCriterion(llvm::StringRef Text, FailOn &Out);

/// The problems among \p Problems that \p Criteria do not let pass.
std::vector<const Problem *> failures(llvm::ArrayRef<Problem> Problems,
                                      const FailOn &Criteria);

/// The changes that \p Criteria do not let pass; a kernel whose data decides
/// must move further, as in compareReports.
std::vector<const KernelChange *> failures(llvm::ArrayRef<KernelChange> Changes,
                                           const FailOn &Criteria);

} // namespace gpuocc

#endif // GPUOCC_REPORT_FAILON_H
