//===- Comparison.cpp - What diff and check have in common ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Views/WriteComparison.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

std::vector<OptionRow> ComparisonOptions::rows() {
  return {
      {"--format", "FORM", "text, json, markdown, github or html",
       storeWord(Format, namesOf(comparisonViews()))},
      {"-o", "FILE", "write the comparison there", store(Output)},
      {"--fail-on", "slowdown:N,registers:+N,...",
       "end with status 1 where a kernel is N times as slow (1.1), or takes "
       "more than N more",
       [this](StringRef Value) { return addCriteria(Value, Criteria); }},
  };
}

Expected<ExitStatus> gpuocc::compareAndWrite(const ReportSummary &Before,
                                             const ReportSummary &After,
                                             const ComparisonOptions &Options) {
  FailOn Criteria = Options.Criteria;
  Criteria.Slowdown = Criteria.Slowdown.value_or(Options.Compare.Threshold);
  std::vector<KernelChange> Changes =
      compareReports(Before, After, Options.Compare);
  if (Error E = writeOutput(Options.Output, [&](raw_ostream &OS) {
        findComparisonView(Options.Format)->Write(Changes, OS);
        return Error::success();
      }))
    return std::move(E);
  const bool IsWorse = any_of(Changes, [&](const KernelChange &C) {
    return C.Kind == ChangeKind::Broken || C.Kind == ChangeKind::Untimed ||
           !worseCounts(C, Criteria).empty();
  });
  return IsWorse || !failures(Changes, Criteria).empty() ? StatusFindings
                                                         : StatusGood;
}
