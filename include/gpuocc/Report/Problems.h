//===- Problems.h - Findings as gates and annotations see them --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A report has one entry for each launch and template instance of a kernel,
/// and each entry repeats the findings of the same source lines. A problem is
/// one rule at one place, with the launch that it costs most.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_PROBLEMS_H
#define GPUOCC_REPORT_PROBLEMS_H

#include "gpuocc/Report/Report.h"
#include <vector>

namespace gpuocc {

/// One rule at one place of the source. Points into the report.
struct Problem {
  /// The finding of greatest gain at that place, and where it was found.
  const Finding *What = nullptr;
  const KernelReport *Kernel = nullptr;
  SourcePlace Place;
  /// Entries of the report that have this problem, that of What among them.
  unsigned NumEntries = 1;
  /// 16 hexadecimal digits that stay the same when lines are added above: made
  /// of the rule, the kernel without template arguments, and the ordinal of the
  /// place among those of that rule in that kernel.
  std::string Fingerprint;
};

/// The problems of \p R: rules of RemarkKind::Passed but for the verdict.
/// Launches that cannot run come first, then the greatest gain; equal ones, and
/// those without a price, by place.
std::vector<Problem> collectProblems(const Report &R);

} // namespace gpuocc

#endif // GPUOCC_REPORT_PROBLEMS_H
