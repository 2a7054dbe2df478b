//===- FindingTable.h - Findings beside what the counters show --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A finding is right if the hardware counters of its line show the waste that
/// it speaks of; a kernel with waste that no finding speaks of is a miss.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_FINDINGTABLE_H
#define GPUOCC_TOOLS_ACCURACY_FINDINGTABLE_H

#include "KernelTable.h"
#include "gpuocc/Report/RuleIds.h"
#include <optional>

namespace gpuocc {

/// What counts as waste. The first three are those of the measurements' own
/// rules: misaligned or partial accesses start at 1.1 times the ideal sectors,
/// conflicts at 1.3 times the ideal wavefronts, divergent branches at a tenth
/// of their executions.
constexpr double WastedSectors = 1.1;
constexpr double WastedWavefronts = 1.3;
constexpr double WastedBranches = 0.1;
/// Waste that a finding must speak of: a line with this share of the kernel's
/// sectors, wavefronts or branch executions, and twice the ideal sectors.
constexpr double ShareThatMatters = 0.05;
constexpr double SectorsThatMatter = 1.9;

/// The rules that the counters of lines can judge.
constexpr RuleId JudgedRules[] = {
    RuleId::UncoalescedAccess, RuleId::BankConflict, RuleId::DivergentBranch};

enum class Judgement : uint8_t {
  Right,
  /// The counters of the line show no waste.
  Wrong,
  /// The counters say nothing of the line.
  NotJudged,
  /// Waste without a finding.
  Missed
};

llvm::StringRef judgementText(Judgement J);

/// A finding, or waste that none speaks of.
struct FindingRow {
  const CaseResult *Case = nullptr;
  RuleId Rule = RuleId::UncoalescedAccess;
  std::string File;
  unsigned Line = 0;
  Judgement Verdict = Judgement::NotJudged;
  /// Its gain is large enough to be shown to a user who asks for nothing else.
  bool IsShown = true;
  /// Measured sectors or wavefronts over their ideal; divergent fraction.
  double Measured = 0;
};

/// The findings of \p Case, and the misses: one for each rule that has no
/// finding in the kernel, at its worst line.
std::vector<FindingRow> judgeFindings(const CaseResult &Case);

struct FindingTotals {
  /// Of the findings that are shown; misses have none, shown or not.
  unsigned NumRight = 0, NumWrong = 0, NumNotJudged = 0, NumMissed = 0;
  /// Right of those judged; nothing where none is.
  std::optional<double> precision() const;
  /// Kernels with a right finding, shown or priced too low to be shown.
  unsigned NumKernelsFound = 0;
  /// Found of the kernels with waste; nothing where none has any.
  std::optional<double> recall() const;
};

FindingTotals summarizeFindings(llvm::ArrayRef<FindingRow> Rows, RuleId Rule);

/// Every finding that is not right, and every miss.
void printFindingMisses(llvm::ArrayRef<FindingRow> Rows, llvm::raw_ostream &OS);
void printSummary(llvm::StringRef Title, llvm::ArrayRef<FindingRow> Rows,
                  llvm::raw_ostream &OS);
void writeSummary(llvm::ArrayRef<FindingRow> Rows, llvm::json::OStream &J);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_FINDINGTABLE_H
