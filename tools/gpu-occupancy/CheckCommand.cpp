//===- CheckCommand.cpp - gpu-occupancy check -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalyzeProject.h"
#include "CheckOutputs.h"
#include "Commands.h"
#include "CompareWithCommit.h"
#include "Comparison.h"
#include "GateExceptions.h"
#include "MoreOutputs.h"
#include "ReportFiles.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Gate.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/WriteComparison.h"
#include "gpuocc/Views/WriteGate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral CheckUsage =
    "usage: gpu-occupancy check [FILE|FOLDER]... --against=REVISION [options]\n"
    "       gpu-occupancy check FILE... --baseline=REPORT.json [options]\n"
    "       gpu-occupancy check FILE... [options]\n"
    "\n"
    "A gate: prints a line for each kernel that got slower and for each\n"
    "finding that --fail-on names and that came with the change, and ends\n"
    "with status 1 where there is one; launches that cannot run are faults by\n"
    "themselves. --against compares the working tree\n"
    "with the commit at which it left REVISION, and analyzes of both only\n"
    "what changed; --baseline compares with a report; without either, all\n"
    "findings count, those that gain 1.3x or more where --fail-on is absent.\n";

/// What findings are judged by where nothing is compared and nothing said.
static constexpr double DefaultGain = 1.3;

namespace {

struct CheckOptions {
  AssessFileOptions Files;
  ProjectOptions Sets;
  ComparisonOptions Compare;
  std::string Against, Baseline;
  std::vector<std::string> Given;
  std::vector<MoreOutput> Also;

  CheckOptions() { Compare.Format = "lines"; }
  std::vector<OptionRow> rows();
  /// What is compared is summaries.
  PassedOptions passed() const {
    PassedOptions Passed = PassedOptions::of(Given, Files);
    Passed.OnlySummaries = true;
    return Passed;
  }
  /// What is said of where the other side comes from.
  std::string otherSide() const;
};

} // namespace

std::vector<OptionRow> CheckOptions::rows() {
  std::vector<OptionRow> Rows = {
      {"--against", "REVISION", "compare with this commit of git",
       store(Against)},
      {"--baseline", "FILE", "compare with a report of 'analyze --format=json'",
       store(Baseline)}};
  for (const OptionRow &Row : Files.rows())
    Rows.push_back(noting(Row, Given));
  append_range(Rows, Sets.rows());
  std::vector<StringRef> Formats = namesOf(gateViews());
  for (StringRef Name : namesOf(comparisonViews()))
    if (!is_contained(Formats, Name))
      Formats.push_back(Name);
  for (OptionRow &Row : Compare.rows())
    if (Row.Name != "--format" && Row.Name != "--fail-on")
      Rows.push_back(std::move(Row));
  append_range(Rows,
               std::vector<OptionRow>{
                   {"--format", "FORM",
                    "of the faults: lines, github, sarif or codequality; of "
                    "what is compared: text, json, markdown or html",
                    storeWord(Compare.Format, Formats)},
                   alsoRow(Also, Formats),
                   {"--fail-on", "slowdown:N,registers:+N,gain:N,...",
                    "kernels that got N times as slow (1.1) or take more; new "
                    "findings; docs/ci.md lists all criteria",
                    [this](StringRef Value) {
                      return addCriteria(Value, Compare.Criteria);
                    }}});
  return Rows;
}

std::string CheckOptions::otherSide() const {
  if (!Against.empty())
    return " against " + Against;
  return Baseline.empty() ? "" : " against " + Baseline;
}

/// The kernels of the files that \p Inputs select, and those of the baseline if
/// there is one.
static Expected<BothSides>
compareWithBaseline(ArrayRef<StringRef> Inputs,
                    ArrayRef<StringRef> CompilerOptions,
                    const CheckOptions &Options) {
  BothSides Sides;
  if (!Options.Baseline.empty()) {
    Expected<ReportSummary> Before = loadReportSummary(Options.Baseline);
    if (!Before)
      return Before.takeError();
    Sides.Before = std::move(*Before);
    nameFilesFromHere(Sides.Before);
  }
  Expected<ProjectResult> Result =
      analyzeProject(Inputs, CompilerOptions, Options.Sets, Options.passed());
  if (!Result)
    return Result.takeError();
  Sides.After = std::move(Result->Summary);
  Sides.Status = Result->Status;
  Sides.Files = std::move(Result->Files);
  nameFilesFromHere(Sides.After);
  return Sides;
}

static void write(StringRef Format, ArrayRef<KernelChange> Changes,
                  ArrayRef<GateEntry> Faults, raw_ostream &OS) {
  if (const GateView *View = findGateView(Format))
    View->Write(Faults, OS);
  else
    findComparisonView(Format)->Write(Changes, OS);
}

static std::string outcomeText(size_t NumFaults, ExitStatus Status) {
  if (NumFaults != 0)
    return formatCount(double(NumFaults), "fault");
  return Status == StatusGood ? "good" : "no fault in what could be analyzed";
}

static std::set<StringRef> filesOf(const ReportSummary &Summary) {
  std::set<StringRef> Files;
  for (const KernelSummary &K : Summary.Kernels)
    Files.insert(K.File);
  return Files;
}

/// Names the kernels that only one side has, which nothing is compared of.
static void tellCameAndWent(ArrayRef<KernelChange> Changes) {
  for (const KernelChange &C : Changes) {
    if (C.Kind != ChangeKind::Added && C.Kind != ChangeKind::Removed)
      continue;
    const KernelSummary &K = C.either();
    errs() << "note: '" << printable(K.Demangled) << "' on "
           << printable(K.Device) << ", " << printable(K.LaunchText)
           << (C.Kind == ChangeKind::Added
                   ? ": new, compared with nothing\n"
                   : ": gone, only the other side has it\n");
  }
}

static Expected<ExitStatus> judge(const CheckOptions &Options,
                                  const BothSides &Sides, bool IsWhole) {
  FailOn Criteria = Options.Compare.Criteria;
  const bool Compares = !Options.otherSide().empty();
  if (Compares)
    Criteria.Slowdown =
        Criteria.Slowdown.value_or(Options.Compare.Compare.Threshold);
  else if (Criteria == FailOn())
    Criteria.Gain = DefaultGain;
  std::vector<KernelChange> Changes =
      compareReports(Sides.Before, Sides.After, Options.Compare.Compare);
  // A baseline has kernels of files that nobody asked for.
  if (!IsWhole) {
    const std::set<StringRef> Files = filesOf(Sides.After);
    erase_if(Changes, [&](const KernelChange &C) {
      return C.Kind == ChangeKind::Removed && !Files.count(C.Before->File);
    });
  }
  if (Compares)
    tellCameAndWent(Changes);
  GateExceptions Exceptions(Options.Files.Session.ConfigPath, today());
  if (Error E = Exceptions.load(Changes, Criteria))
    return std::move(E);
  std::vector<std::string> Notes;
  std::vector<GateFault> Faults = Exceptions.faults(Changes, Notes);
  for (const std::string &Note : Notes)
    errs() << "note: " << printable(Note) << '\n';
  std::vector<MoreOutput> Outputs = Options.Also;
  Outputs.push_back({Options.Compare.Format, Options.Compare.Output});
  for (const MoreOutput &Output : Outputs)
    if (Error E = checkOutputAfter(Output.File, Report(), Sides.Files))
      return std::move(E);
  const std::vector<GateEntry> Entries = gateEntries(Faults);
  if (Error E = writeOutputs(Outputs, [&](StringRef Form, raw_ostream &OS) {
        write(Form, Changes, Entries, OS);
      }))
    return std::move(E);
  errs() << formatCount(double(Sides.After.Kernels.size()), "kernel")
         << " checked" << printable(Options.otherSide()) << ": "
         << outcomeText(Faults.size(), Sides.Status) << '\n';
  return std::max(Sides.Status, Faults.empty() ? StatusGood : StatusFindings);
}

/// Fails where options or inputs do not fit together.
static Error checkOptions(const CheckOptions &Options,
                          ArrayRef<StringRef> Inputs) {
  if (!Options.Against.empty() && !Options.Baseline.empty())
    return createStringError("--against and --baseline exclude each other");
  if (Options.otherSide().empty() && Options.Compare.Criteria.comparesSides())
    return createStringError(
        "--fail-on: slowdowns and growth need --against or --baseline");
  std::vector<StringRef> Read = Inputs.vec();
  if (!Options.Baseline.empty())
    Read.push_back(Options.Baseline);
  if (Error E = checkOutputBefore(Options.Compare.Output, Read, Options.Files,
                                  Options.Sets.Build))
    return E;
  for (const MoreOutput &Output : Options.Also)
    if (Error E = checkOutputBefore(Output.File, Read, Options.Files,
                                    Options.Sets.Build))
      return E;
  return checkForAllFiles(Options.Files);
}

Expected<ExitStatus> gpuocc::runCheck(ArrayRef<StringRef> Arguments) {
  CheckOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, CheckUsage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.empty() && Options.Sets.Build.empty() &&
      Options.Against.empty())
    Parsed->Positional.push_back(CurrentFolder);
  if (Error E = checkOptions(Options, Parsed->Positional))
    return std::move(E);
  Expected<BothSides> Sides =
      Options.Against.empty()
          ? compareWithBaseline(Parsed->Positional, Parsed->Rest, Options)
          : compareWithCommit(Options.Against, Parsed->Positional, Parsed->Rest,
                              Options.Sets, Options.passed());
  if (!Sides)
    return Sides.takeError();
  const bool IsWhole = !Options.Against.empty() || Parsed->Positional.empty();
  return judge(Options, *Sides, IsWhole);
}
