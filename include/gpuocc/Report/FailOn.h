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
#include <map>
#include <optional>

namespace gpuocc {

/// A number of a kernel that a change may make worse.
enum class CountedResource : uint8_t {
  Registers,
  /// Stored and loaded bytes per thread.
  Spills,
  Stack,
  /// Static and dynamic bytes per block.
  Shared,
  /// Blocks per SM, of which fewer are worse.
  Occupancy,
};

/// "registers", "spills", "stack", "shared", "occupancy".
llvm::StringRef countedResourceKey(CountedResource R);

/// The number \p R of \p Counts; absent where it is not known.
std::optional<uint64_t> countOf(const ResourceCounts &Counts,
                                CountedResource R);

/// What `--fail-on` was given.
struct FailOn {
  /// gain:F: a finding whose mending gains F times or more.
  std::optional<double> Gain;
  /// rule:NAME: any finding of these rules; `advisory` is one of them.
  std::vector<RuleId> Rules;
  /// slowdown:F: a kernel whose prediction grew by F times or more.
  std::optional<double> Slowdown;
  /// registers:+N: a number that got worse by more than N.
  std::map<CountedResource, uint64_t> MostWorse;
  /// cannot-run: a launch that fails or hangs. Gates have it whether it is
  /// given or not.
  bool CannotRun = false;
  /// cannot-compare: a kernel that had a prediction and has none now. Gates
  /// that compare have it whether it is given or not.
  bool CannotCompare = false;

  /// True where a criterion needs two sides.
  bool comparesSides() const {
    return Slowdown || !MostWorse.empty() || CannotCompare;
  }
  bool operator==(const FailOn &) const = default;
};

/// Reads a factor such as "1.3" into \p Out. Fails on what is no number of at
/// least 1.
llvm::Error parseFactor(llvm::StringRef Text, std::optional<double> &Out);

/// Adds the criterion \p Text, such as "gain:1.3", to \p Out. Fails on other
/// words, naming the nearest rule where one is misspelt, and on factors that
/// are no numbers of at least 1.
llvm::Error addCriterion(llvm::StringRef Text, FailOn &Out);

/// Adds each of the criteria in \p Text, which commas separate.
llvm::Error addCriteria(llvm::StringRef Text, FailOn &Out);

/// The words of criteria: "gain", "rule", "slowdown", "registers", ...
std::vector<llvm::StringRef> criterionWords();

/// The problems among \p Problems that \p Criteria do not let pass.
std::vector<const Problem *> failures(llvm::ArrayRef<Problem> Problems,
                                      const FailOn &Criteria);

/// The changes that \p Criteria do not let pass because of their time; a kernel
/// whose data decides must move further, as in compareReports.
std::vector<const KernelChange *> failures(llvm::ArrayRef<KernelChange> Changes,
                                           const FailOn &Criteria);

/// The numbers of \p Change that \p Criteria do not let pass.
std::vector<CountedResource> worseCounts(const KernelChange &Change,
                                         const FailOn &Criteria);

} // namespace gpuocc

#endif // GPUOCC_REPORT_FAILON_H
