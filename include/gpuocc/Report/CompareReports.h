//===- CompareReports.h - What a change made slower or faster ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_COMPAREREPORTS_H
#define GPUOCC_REPORT_COMPAREREPORTS_H

#include "gpuocc/Report/ReportSummary.h"

namespace gpuocc {

struct CompareOptions {
  /// The least ratio of two predictions that counts as a change.
  double Threshold = 1.1;
};

/// Heuristic: how much further the prediction of a kernel must move before it
/// counts where loaded data decides what the kernel does. What such a
/// prediction assumes of the data can change with unrelated code; over the
/// recorded kernels, times whose instructions data decides are off by twice as
/// much in the median as the others (README.md).
constexpr double DataDecidesFactor = 2;

/// The ratio that counts as a change where \p Threshold does for kernels whose
/// data does not decide.
constexpr double changeThreshold(double Threshold, bool DataDecides) {
  return 1 + (Threshold - 1) * (DataDecides ? DataDecidesFactor : 1);
}

/// True where times that grew \p Ratio-fold got slower by \p Threshold. What
/// did not change did not get slower, whatever the threshold is.
constexpr bool isSlower(double Ratio, double Threshold) {
  return Ratio > 1 && Ratio >= Threshold;
}

/// The opposite.
constexpr bool isFaster(double Ratio, double Threshold) {
  return Ratio < 1 && Ratio * Threshold <= 1;
}

enum class ChangeKind : uint8_t {
  Same,
  Slower,
  Faster,
  Added,
  Removed,
  /// Cannot run now, and could before or is new.
  Broken,
  /// Can run now, and could not before.
  Fixed,
  /// Had a prediction to compare with, and has none now.
  Untimed
};

/// "same", "slower", "faster", "added", "removed", "cannot run", "runs again",
/// "cannot compare".
llvm::StringRef changeKindText(ChangeKind Kind);

/// One kernel under one launch, before and after. Points into the summaries.
struct KernelChange {
  /// Null for what was added or removed.
  const KernelSummary *Before = nullptr;
  const KernelSummary *After = nullptr;
  ChangeKind Kind = ChangeKind::Same;
  /// Predicted time after over before, or cycles of an SM per warp where a time
  /// is unknown; 1 where neither can be compared.
  double Ratio = 1;
  /// True when loaded data decides on either side.
  bool DataDecides = false;
  /// Findings that only one side has, or whose gain grew beyond the threshold:
  /// the lines that caused the change.
  std::vector<const FindingSummary *> Appeared = {}, Gone = {};

  const KernelSummary &either() const { return After ? *After : *Before; }
};

/// All kernels of both reports: those that cannot run any more and slower ones
/// first, by ratio; then those that cannot be compared any more, faster, added,
/// removed and unchanged ones.
///
/// Kernels are the same when name, device, launch and file agree; of what is
/// left, when all but the file do; then when name and device do, in the order
/// of the reports.
std::vector<KernelChange> compareReports(const ReportSummary &Before,
                                         const ReportSummary &After,
                                         const CompareOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_REPORT_COMPAREREPORTS_H
