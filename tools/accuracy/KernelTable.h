//===- KernelTable.h - Predicted and measured kernels -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_KERNELTABLE_H
#define GPUOCC_TOOLS_ACCURACY_KERNELTABLE_H

#include "MixGroups.h"
#include "TruthFile.h"
#include "gpuocc/Report/Report.h"
#include <optional>

namespace llvm {
class raw_ostream;
namespace json {
class OStream;
} // namespace json
} // namespace llvm

namespace gpuocc {

/// Where the counts of a case come from that data decide.
enum class CaseCounts : uint8_t {
  /// Guesses, and what the host code says.
  HostCode,
  // Of programs whose kernels ran:
  /// The program did not come to the launch; as HostCode.
  NotReached,
  /// Nothing is decided by data.
  Code,
  /// Arrays as they were before the launch.
  Recorded,
  /// What threads read while it ran.
  Counted
};

/// As in reports of `profile`; "host_code" and "not_reached" beside these.
llvm::StringRef countsKey(CaseCounts Counts);

/// One measured kernel and what was predicted of it.
struct CaseResult {
  TruthCase Truth;
  CaseCounts Counts = CaseCounts::HostCode;
  /// Absent when the case was declined.
  std::optional<KernelReport> Predicted;
  /// Why it was declined.
  std::string Declined;
};

/// A number that was predicted and measured.
struct Pair {
  double Predicted = 0, Measured = 0;
  double ratio() const { return Measured ? Predicted / Measured : 0; }
};

/// A case in figures. All counts are per warp of the grid.
struct KernelRow {
  const CaseResult *Case = nullptr;
  Pair Instructions;
  MixCounts PredictedMix{}, ExecutedMix{};
  /// Nothing where no opcodes were counted.
  std::optional<double> MixDistance;
  Pair Registers;
  Pair TheoreticalWarps, ActiveWarps;
  Resource Limiter = Resource::Latency;
  bool LimiterAgrees = false;
  Pair TimeNs;
  Pair L2Bytes, DramReadBytes, DramWriteBytes;

  double timesOff() const;
};

/// Fails for a case without a time.
llvm::Expected<KernelRow> compareKernel(const CaseResult &Case);

/// The goals of a set of cases.
struct KernelTotals {
  unsigned NumCases = 0, NumDeclined = 0;
  /// Nothing for an empty set.
  std::optional<double> MedianInstructionError, MedianMixDistance;
  std::optional<double> MedianTimeError, MeanTimesOff, TimesOff90;
  double LimiterAgreement = 0, RegisterMatches = 0, OccupancyMatches = 0;
  /// Launches of which nothing is assumed, and those of them whose time is off
  /// by more than SilentTimesOff.
  unsigned NumNothingAssumed = 0, NumSilent = 0;
};

/// A time that is further off is an error of which somebody should have been
/// told.
inline constexpr double SilentTimesOff = 1.5;

KernelTotals summarizeKernels(llvm::ArrayRef<KernelRow> Rows,
                              unsigned NumDeclined);

/// \p Value in percent; "-" where there is none.
std::string percentOf(std::optional<double> Value);

/// The table, worst time first; then the evidence for each time that is off by
/// more than SilentTimesOff.
void printKernels(llvm::ArrayRef<KernelRow> Rows, llvm::raw_ostream &OS);
void printSummary(llvm::StringRef Title, const KernelTotals &S,
                  llvm::raw_ostream &OS);
void writeKernels(llvm::ArrayRef<KernelRow> Rows, llvm::json::OStream &J);
void writeSummary(const KernelTotals &S, llvm::json::OStream &J);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_KERNELTABLE_H
