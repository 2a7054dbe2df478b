//===- LineTable.h - Predicted and measured source lines --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_LINETABLE_H
#define GPUOCC_TOOLS_ACCURACY_LINETABLE_H

#include "KernelTable.h"

namespace gpuocc {

/// What is compared of a line.
enum class LineMetric : uint8_t { Sectors, Wavefronts, DivergentFraction };

llvm::StringRef lineMetricText(LineMetric M);

/// One metric of one line: of all memory instructions of one kind, or of all
/// conditional branches.
struct LineRow {
  const CaseResult *Case = nullptr;
  std::string File;
  unsigned Line = 0;
  /// "global ld", "branch".
  std::string What;
  LineMetric Metric = LineMetric::Sectors;
  /// Per executed instruction, weighted by executions.
  Pair PerInst;
  /// Per warp of the grid. Where the assembler predicates what the prediction
  /// branches around, executions differ and totals do not.
  Pair PerWarp;
  /// The least exact of what was combined, with its reason.
  Exactness Exact = Exactness::Exact;
  std::string Reason;
  /// The measured build is another compiler's and executes the line another
  /// number of times: it made other instructions of it.
  bool IsOtherCode = false;

  /// One of the two pairs agrees.
  bool matches() const;
};

/// The lines of \p Case that both sides have.
std::vector<LineRow> compareLines(const CaseResult &Case);

struct LineSummary {
  unsigned NumLines = 0, NumMatches = 0;
  /// Of the lines that do not match, those of other instructions.
  unsigned NumOtherCode = 0;
  /// Of the rest, lines that the prediction does not call data-dependent.
  unsigned NumDecided = 0, NumDecidedMatches = 0;
  /// Called exact, and wrong.
  unsigned NumWrongExact = 0;
};

LineSummary summarizeLines(llvm::ArrayRef<LineRow> Rows, LineMetric Metric);

/// Every line that does not match, with its reason.
void printLineMisses(llvm::ArrayRef<LineRow> Rows, llvm::raw_ostream &OS);
void printSummary(llvm::StringRef Title, llvm::ArrayRef<LineRow> Rows,
                  llvm::raw_ostream &OS);
void writeLines(llvm::ArrayRef<LineRow> Rows, llvm::json::OStream &J);
void writeSummary(llvm::ArrayRef<LineRow> Rows, llvm::json::OStream &J);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_LINETABLE_H
