//===- Selection.h - Which findings to show --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_SELECTION_H
#define GPUOCC_REPORT_SELECTION_H

#include "gpuocc/Report/Report.h"
#include <vector>

namespace gpuocc {

/// Nobody reads a wall of remarks: how many findings of a kernel to show.
constexpr unsigned DefaultMaxFindings = 10;

/// The findings of one kernel that a view shows, in order.
struct Selection {
  const Finding *Verdict = nullptr;
  /// Findings of RemarkKind::Passed but the verdict, most costly first.
  std::vector<const Finding *> Costly;
  /// Further ones that were left out.
  unsigned LeftOut = 0;
  /// Findings of RemarkKind::Analysis and RemarkKind::Missed.
  std::vector<const Finding *> Evidence;
  std::vector<const Finding *> Missed;
};

/// At most \p MaxFindings costly findings of \p R; 0 is no limit.
Selection selectFindings(const KernelReport &R, unsigned MaxFindings);

/// "3 more findings left out; ..." for a Selection with LeftOut != 0.
std::string leftOutText(const Selection &S);

/// "2 findings silenced in the source"; empty where there are none.
std::string suppressedText(unsigned NumFindings);
/// The same for all kernels of \p R.
std::string suppressedText(const Report &R);

/// The place of \p F to show: the innermost one that is not in a header of the
/// compiler or the toolkit, if there is one.
///
/// Heuristic: such headers are those of absolute path under /usr, or whose name
/// starts with "__clang_"; a reader can only mend the call.
SourcePlace placeToShow(const SourceLocation &Location);

} // namespace gpuocc

#endif // GPUOCC_REPORT_SELECTION_H
