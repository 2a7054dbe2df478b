//===- Comparison.h - What diff and check have in common --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_GPUOCCUPANCY_COMPARISON_H
#define GPUOCC_TOOLS_GPUOCCUPANCY_COMPARISON_H

#include "driver/Arguments.h"
#include "gpuocc/Report/FailOn.h"
#include "gpuocc/Support/ExitStatus.h"

namespace gpuocc {

struct ComparisonOptions {
  std::string Format = "text";
  std::string Output = "-";
  CompareOptions Compare;
  FailOn Criteria;

  /// Their rows of the option table; they point into this object.
  std::vector<OptionRow> rows();
};

/// Compares, writes the comparison, and judges it: StatusFindings where a
/// kernel got slower by the threshold or by `--fail-on=slowdown:`.
llvm::Expected<ExitStatus> compareAndWrite(const ReportSummary &Before,
                                           const ReportSummary &After,
                                           const ComparisonOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_GPUOCCUPANCY_COMPARISON_H
