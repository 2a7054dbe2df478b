//===- DiffCommand.cpp - gpu-occupancy diff -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Comparison.h"
#include "ReportFiles.h"
#include "driver/Arguments.h"
#include "gpuocc/Support/OutputFile.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral DiffUsage =
    "usage: gpu-occupancy diff BASE.json HEAD.json [options]\n"
    "\n"
    "Says which kernels a change made slower or faster, and the findings that "
    "came\n"
    "with it. Both are what 'analyze --format=json' or 'summary' writes, or\n"
    "folders of what compiles left (-gpu-occupancy-report-file).\n";

Expected<ExitStatus> gpuocc::runDiff(ArrayRef<StringRef> Arguments) {
  ComparisonOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, DiffUsage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.size() != 2)
    return createStringError(
        "diff needs two reports; see 'gpu-occupancy diff --help'");
  if (Options.Criteria.Gain || !Options.Criteria.Rules.empty())
    return createStringError("diff takes --fail-on of two sides only, such as "
                             "slowdown:N; 'analyze' judges findings");
  if (Error E = checkOutput(Options.Output, Parsed->Positional))
    return std::move(E);
  Expected<ReportSummary> Before = loadReportSummary(Parsed->Positional[0]);
  if (!Before)
    return Before.takeError();
  Expected<ReportSummary> After = loadReportSummary(Parsed->Positional[1]);
  if (!After)
    return After.takeError();
  return compareAndWrite(*Before, *After, Options);
}
