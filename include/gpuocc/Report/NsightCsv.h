//===- NsightCsv.h - Launches that Nsight Compute measured ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_NSIGHTCSV_H
#define GPUOCC_REPORT_NSIGHTCSV_H

#include "gpuocc/Report/ReportSummary.h"
#include "llvm/ADT/ArrayRef.h"

namespace gpuocc {

/// One kernel launch of a profile.
struct MeasuredLaunch {
  /// As the profiler writes it: "scale(float *, int)".
  std::string Kernel;
  /// "32x32 x 32x8": grid and block, extents of 1 at the end left out.
  std::string Extents;
  std::optional<double> TimeNs;
  /// The unit that is closest to its peak, and how close in percent; empty
  /// where the profile has none.
  std::string Busiest;
  double BusiestPercent = 0;
};

/// Reads what `ncu --csv` prints, of the page `details` (a row for each metric)
/// or `raw` (a row for each launch); lines in front of the table are skipped.
/// Fails with the name of the file where there is no such table, or no launch
/// in it.
llvm::Expected<std::vector<MeasuredLaunch>>
parseNsightCsv(llvm::StringRef Text, llvm::StringRef FileName);

/// A kernel that was predicted and measured under one launch.
struct MeasuredKernel {
  const KernelSummary *Predicted = nullptr;
  /// The launch of median time among those measured.
  MeasuredLaunch Measured;
  unsigned NumLaunches = 0;
};

/// The kernels of \p Predicted that \p Launches have, by name, grid and block,
/// in the order of the report.
std::vector<MeasuredKernel>
matchMeasured(const ReportSummary &Predicted,
              llvm::ArrayRef<MeasuredLaunch> Launches);

/// Why matchMeasured finds none: there are no times, no kernel of that name, or
/// the first that is in both has other launches, and what to do.
std::string whyNoneMatches(const ReportSummary &Predicted,
                           llvm::ArrayRef<MeasuredLaunch> Launches);

} // namespace gpuocc

#endif // GPUOCC_REPORT_NSIGHTCSV_H
