//===- ReportSummary.h - What a comparison needs of a report ----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Read from the public part of the JSON report, which stays readable from
/// version to version, so that a baseline can be older than the tool.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_REPORT_REPORTSUMMARY_H
#define GPUOCC_REPORT_REPORTSUMMARY_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

/// One finding; Line and Column are 0 where the report has none.
struct FindingSummary {
  std::string Rule, File, Message;
  unsigned Line = 0, Column = 0;
  std::optional<double> Gain;
  /// remarkKindKey() of it; empty in reports of older versions.
  std::string Kind = {};
};

/// What the assembler gave a kernel. A number that a report of an older version
/// lacks is absent.
struct ResourceCounts {
  std::optional<uint64_t> Registers;
  /// Stored and loaded per thread.
  std::optional<uint64_t> SpillBytes;
  std::optional<uint64_t> StackBytes;
  /// Static and dynamic.
  std::optional<uint64_t> SharedBytes;
  std::optional<uint64_t> BlocksPerSm;
  std::optional<uint64_t> WarpsPerSm = std::nullopt;
  /// No assembler gave registers, spills and stack.
  bool AreEstimates = false;
};

/// One kernel under one launch on one device.
struct KernelSummary {
  /// Name in the module, and as written in the source.
  std::string Name, Demangled;
  std::string File;
  unsigned Line = 0;
  std::string Device;
  /// "sm_90"; empty in reports of older versions.
  std::string Architecture;
  /// Whose code it is; empty where nobody said.
  std::string BuiltBy;
  /// "32x32 x 32x8 + 0 B": grid, block and dynamic shared memory.
  std::string LaunchText;
  /// Of LaunchText.
  uint64_t BlockThreads = 0, DynamicSharedBytes = 0;
  /// Somebody gave the block: otherwise it is a default, and no launch.
  bool BlockIsGiven = true;
  /// Absent when the grid is not known.
  std::optional<double> TimeNs;
  /// SM cycles that one warp takes of an SM at the available occupancy: what is
  /// compared where no time is known. Absent when the curve is.
  std::optional<double> CyclesPerWarp;
  std::string Limiter;
  /// For 90 % of the bound; absent where no number of warps reaches it.
  std::optional<double> NeededWarps;
  /// The report names values that nobody supplied.
  bool RestsOnAssumptions = false;
  ResourceCounts Resources;
  /// True when loaded data decides addresses or branches.
  bool DataDecides = false;
  /// The launch fails or hangs: there is no time and no limiter.
  bool CannotRun = false;
  std::vector<FindingSummary> Findings;
};

/// A report without its evidence.
struct ReportSummary {
  std::string Tool;
  std::vector<KernelSummary> Kernels;

  /// Takes over the kernels of \p Other.
  void append(ReportSummary Other);
};

/// Reads the JSON report \p Text of the file \p FileName. Fails with the name
/// of the file when it is no JSON, no report, or one of another schema version.
llvm::Expected<ReportSummary> parseReportSummary(llvm::StringRef Text,
                                                 llvm::StringRef FileName);

/// The texts of the kernels of a report, and of its launches that cannot run,
/// with what parseReportSummary reads of each.
struct ShortKernels {
  std::vector<std::string> Kernels, Refused;
};

/// Those of the report \p Text, which parseReportSummary could read.
ShortKernels shortKernels(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_REPORT_REPORTSUMMARY_H
