//===- LineTable.cpp - Predicted and measured source lines ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LineTable.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// Truth files have four digits, and grids that are larger than the sample of
/// warps have their edges interpolated.
static constexpr double RelativeTolerance = 0.005;
static constexpr double AbsoluteTolerance = 0.001;

static constexpr LineMetric Metrics[] = {
    LineMetric::Sectors, LineMetric::Wavefronts, LineMetric::DivergentFraction};

StringRef gpuocc::lineMetricText(LineMetric M) {
  switch (M) {
  case LineMetric::Sectors:
    return "sectors";
  case LineMetric::Wavefronts:
    return "wavefronts";
  case LineMetric::DivergentFraction:
    return "divergent";
  }
  llvm_unreachable("unknown metric");
}

static bool agrees(const Pair &P) {
  return std::fabs(P.Predicted - P.Measured) <=
         AbsoluteTolerance + RelativeTolerance * std::fabs(P.Measured);
}

bool LineRow::matches() const { return agrees(PerInst) || agrees(PerWarp); }

namespace {

/// File (base name), line, kind.
using LineKey = std::tuple<std::string, unsigned, std::string>;

/// Sums over the instructions of one kind on one line, per warp.
struct LineSum {
  double Executions = 0;
  /// Of sectors, wavefronts, divergent executions.
  double Total[std::size(Metrics)] = {};
  bool Has[std::size(Metrics)] = {};
  Exactness Exact = Exactness::Exact;
  std::string Reason;

  void add(LineMetric M, double Value) {
    Total[size_t(M)] += Value;
    Has[size_t(M)] = true;
  }
  void weaken(Exactness E, StringRef Why) {
    if (E <= Exact)
      return;
    Exact = E;
    Reason = Why.str();
  }
};

using LineSums = std::map<LineKey, LineSum>;

} // namespace

static std::string baseNameOf(StringRef File) {
  return sys::path::filename(File).str();
}

static std::string kindOf(const MemoryAccess &A) {
  if (A.Kind == AccessKind::AsyncCopy)
    return "global->shared ldgsts";
  // Generic addresses of these programs point to global memory.
  std::string Space = A.Space == MemorySpace::Generic
                          ? "global"
                          : memorySpaceText(A.Space).str();
  switch (A.Kind) {
  case AccessKind::Load:
    return Space + " ld";
  case AccessKind::Store:
    return Space + " st";
  case AccessKind::Atomic:
    return Space + " atom";
  case AccessKind::Reduction:
    return Space + (A.Space == MemorySpace::Shared ? " atom" : " red");
  case AccessKind::AsyncCopy:
    break;
  }
  llvm_unreachable("handled above");
}

static void addAccesses(const KernelReport &R, LineSums &Sums) {
  for (size_t I = 0; I != R.Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = R.Facts.Accesses[I];
    const AccessProfile &P = R.Profile.Accesses[I];
    SourcePlace Place = R.Facts.placeOf(R.Facts.Operations[A.Op].Location);
    LineSum &Sum = Sums[{baseNameOf(Place.File), Place.Line, kindOf(A)}];
    Sum.Executions += P.ExecutionsPerWarp;
    Sum.add(LineMetric::Sectors, P.SectorsPerRequest * P.RequestsPerWarp);
    Sum.add(LineMetric::Wavefronts, P.WavefrontsPerRequest * P.RequestsPerWarp);
    // What is exact of an access that no walked warp executes is what it would
    // cost, not that it is not executed.
    const bool IsSupposed = P.ExecutionsPerWarp == 0 && P.SectorsPerRequest > 0;
    if (P.ExecutionsPerWarp > 0)
      Sum.weaken(P.Exact, P.Reason);
    else if (IsSupposed)
      Sum.weaken(Exactness::Assumed, P.Reason);
  }
}

static void addBranches(const KernelReport &R, LineSums &Sums) {
  for (size_t I = 0; I != R.Facts.Branches.size(); ++I) {
    const Branch &B = R.Facts.Branches[I];
    const BranchProfile &P = R.Profile.Branches[I];
    SourcePlace Place = R.Facts.placeOf(R.Facts.Operations[B.Op].Location);
    LineSum &Sum = Sums[{baseNameOf(Place.File), Place.Line, "branch"}];
    Sum.Executions += P.ExecutionsPerWarp;
    Sum.add(LineMetric::DivergentFraction,
            P.DivergentFraction * P.ExecutionsPerWarp);
    if (P.ExecutionsPerWarp > 0)
      Sum.weaken(P.Exact, P.Reason);
  }
}

static LineSums measuredSums(const TruthCase &T) {
  LineSums Sums;
  for (const TruthLine &L : T.Lines) {
    auto At = [&](std::string Kind) -> LineSum & {
      return Sums[{baseNameOf(L.File), L.Line, std::move(Kind)}];
    };
    for (const TruthAccess &A : L.Accesses) {
      double Executions = A.WarpInstructions / T.numWarps();
      LineSum &Sum = At(A.Space + " " + A.Op);
      Sum.Executions += Executions;
      if (A.SectorsPerInst)
        Sum.add(LineMetric::Sectors, *A.SectorsPerInst * Executions);
      if (A.WavefrontsPerInst)
        Sum.add(LineMetric::Wavefronts, *A.WavefrontsPerInst * Executions);
    }
    for (const TruthBranch &B : L.Branches) {
      // Unconditional jumps cannot diverge, and exits are not counted.
      if (!B.DivergentFraction || B.NumPredicated == 0)
        continue;
      double Executions = B.WarpInstructions / T.numWarps();
      LineSum &Sum = At("branch");
      Sum.Executions += Executions;
      Sum.add(LineMetric::DivergentFraction, *B.DivergentFraction * Executions);
    }
  }
  return Sums;
}

std::vector<LineRow> gpuocc::compareLines(const CaseResult &Case) {
  LineSums Predicted;
  addAccesses(*Case.Predicted, Predicted);
  addBranches(*Case.Predicted, Predicted);
  std::vector<LineRow> Rows;
  for (const auto &[Key, Measured] : measuredSums(Case.Truth)) {
    auto Found = Predicted.find(Key);
    if (Found == Predicted.end() || Measured.Executions == 0)
      continue;
    const LineSum &P = Found->second;
    for (LineMetric M : Metrics) {
      size_t I = size_t(M);
      if (!Measured.Has[I])
        continue;
      LineRow Row;
      Row.Case = &Case;
      std::tie(Row.File, Row.Line, Row.What) = Key;
      Row.Metric = M;
      Row.PerWarp = {P.Total[I], Measured.Total[I]};
      Row.PerInst = {P.Executions ? P.Total[I] / P.Executions : 0,
                     Measured.Total[I] / Measured.Executions};
      Row.Exact = P.Exact;
      Row.Reason = P.Reason;
      Row.IsOtherCode =
          !Case.Truth.isClangBuild() && M != LineMetric::DivergentFraction &&
          !agrees({P.Executions, Measured.Executions}) && !Row.matches();
      if (Row.IsOtherCode && Row.Exact != Exactness::DataDependent)
        Row.Reason = formatv("nvcc executes the line {0} times, clang {1}",
                             formatNumber(Measured.Executions),
                             formatNumber(P.Executions));
      Rows.push_back(std::move(Row));
    }
  }
  return Rows;
}

LineSummary gpuocc::summarizeLines(ArrayRef<LineRow> Rows, LineMetric Metric) {
  LineSummary S;
  for (const LineRow &Row : Rows) {
    if (Row.Metric != Metric)
      continue;
    bool Matches = Row.matches();
    ++S.NumLines;
    S.NumMatches += Matches;
    if (Row.IsOtherCode && Row.Exact != Exactness::DataDependent) {
      ++S.NumOtherCode;
      continue;
    }
    if (Row.Exact == Exactness::Exact && !Matches)
      ++S.NumWrongExact;
    if (Row.Exact == Exactness::DataDependent)
      continue;
    ++S.NumDecided;
    S.NumDecidedMatches += Matches;
  }
  return S;
}

void gpuocc::printLineMisses(ArrayRef<LineRow> Rows, raw_ostream &OS) {
  OS << formatv("{0,-44} {1,-34} {2,-10} {3,-10} {4,9} {5,9} {6,9} {7,9} "
                "{8,-14} {9}\n",
                "case", "line", "what", "metric", "per inst", "measured",
                "per warp", "measured", "exactness", "reason");
  for (const LineRow &Row : Rows) {
    if (Row.matches())
      continue;
    std::string Place = Row.File + ":" + std::to_string(Row.Line);
    OS << formatv(
        "{0,-44} {1,-34} {2,-10} {3,-10} {4,9} {5,9} {6,9} {7,9} "
        "{8,-14} {9}\n",
        StringRef(Row.Case->Truth.Id).split('/').second, Place, Row.What,
        lineMetricText(Row.Metric), formatNumber(Row.PerInst.Predicted),
        formatNumber(Row.PerInst.Measured), formatNumber(Row.PerWarp.Predicted),
        formatNumber(Row.PerWarp.Measured), exactnessText(Row.Exact),
        Row.Reason);
  }
}

static std::string shareText(unsigned Part, unsigned Whole) {
  if (Whole == 0)
    return "0 of 0";
  return formatv("{0} of {1} ({2})", Part, Whole,
                 formatPercent(double(Part) / Whole));
}

void gpuocc::printSummary(StringRef Title, ArrayRef<LineRow> Rows,
                          raw_ostream &OS) {
  OS << Title << ", source lines:\n";
  for (LineMetric M : Metrics) {
    LineSummary S = summarizeLines(Rows, M);
    OS << formatv("  {0,-12} equal {1}; where data does not decide {2}; wrong "
                  "and called exact {3}; other code {4}\n",
                  lineMetricText(M), shareText(S.NumMatches, S.NumLines),
                  shareText(S.NumDecidedMatches, S.NumDecided), S.NumWrongExact,
                  S.NumOtherCode);
  }
}

void gpuocc::writeLines(ArrayRef<LineRow> Rows, json::OStream &J) {
  auto Write = [&](StringRef Key, const Pair &P) {
    J.attributeObject(Key, [&] {
      J.attribute("predicted", P.Predicted);
      J.attribute("measured", P.Measured);
    });
  };
  for (const LineRow &Row : Rows)
    J.object([&] {
      J.attribute("id", Row.Case->Truth.Id);
      J.attribute("file", Row.File);
      J.attribute("line", Row.Line);
      J.attribute("what", Row.What);
      J.attribute("metric", lineMetricText(Row.Metric));
      Write("per_inst", Row.PerInst);
      Write("per_warp", Row.PerWarp);
      J.attribute("exactness", exactnessText(Row.Exact));
      J.attribute("reason", Row.Reason);
      J.attribute("equal", Row.matches());
    });
}

void gpuocc::writeSummary(ArrayRef<LineRow> Rows, json::OStream &J) {
  for (LineMetric M : Metrics) {
    LineSummary S = summarizeLines(Rows, M);
    J.attributeObject(lineMetricText(M), [&] {
      J.attribute("lines", S.NumLines);
      J.attribute("equal", S.NumMatches);
      J.attribute("decided", S.NumDecided);
      J.attribute("decided_equal", S.NumDecidedMatches);
      J.attribute("wrong_exact", S.NumWrongExact);
      J.attribute("other_code", S.NumOtherCode);
    });
  }
}
