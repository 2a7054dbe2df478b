//===- Suppressions.h - Findings that a source silences ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Comments as clang-tidy reads them, with the rules' names behind a prefix:
///
///   x = a[i];  // NOLINT(gpu-occupancy-BankConflict)
///
/// and an attribute of kernels:
///
///   __global__ [[clang::annotate("gpu-occupancy: suppress TailEffect")]] void
///
/// docs/suppressions.md describes both.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_SUPPRESSIONS_H
#define GPUOCC_REPORT_SUPPRESSIONS_H

#include "gpuocc/Report/Report.h"
#include "llvm/Support/raw_ostream.h"
#include <bitset>
#include <limits>
#include <string>
#include <vector>

namespace gpuocc {

/// Some of the rules. Has room for all values of RuleId.
using RuleSet = std::bitset<size_t(std::numeric_limits<uint8_t>::max()) + 1>;

/// What one source file silences.
class Suppressions {
public:
  /// Reads the file \p Name, which holds \p Text.
  static Suppressions parse(llvm::StringRef Text, llvm::StringRef Name);

  /// True when a comment silences \p Rule at \p Line.
  bool covers(unsigned Line, RuleId Rule) const;

  /// True when the kernel that is declared at \p Line has an attribute that
  /// silences \p Rule.
  bool coversKernel(unsigned Line, RuleId Rule) const;

  /// Prints all that it silences, a line for each comment and attribute.
  void print(llvm::raw_ostream &OS) const;

  /// What was not understood, each with file and line: a name that is no
  /// rule's, a NOLINTBEGIN without its end.
  llvm::ArrayRef<std::string> notes() const { return Notes; }

private:
  friend class SuppressionReader;

  /// Lines First to Last, both included.
  struct Range {
    unsigned First, Last;
    RuleSet Rules;
  };
  static bool covers(llvm::ArrayRef<Range> Ranges, unsigned Line, RuleId Rule);

  std::vector<Range> Comments, Attributes;
  std::vector<std::string> Notes;
};

} // namespace gpuocc

#endif // GPUOCC_REPORT_SUPPRESSIONS_H
