//===- SummaryCommand.cpp - gpu-occupancy summary -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "OutputView.h"
#include "ReportFiles.h"
#include "driver/Arguments.h"
#include "driver/Session.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/RuleNames.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Views/ReportView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral SummaryUsage =
    "usage: gpu-occupancy summary REPORT|FOLDER|@LIST... [options]\n"
    "\n"
    "Reads reports one after the other, those that compiles left\n"
    "(-gpu-occupancy-report-file) or 'analyze --format=json' wrote, and "
    "prints\n"
    "the kernels with something to gain. With --format=json it writes one "
    "report\n"
    "of all, with what 'diff', 'lock' and 'check --baseline' read.\n";

namespace {

struct SummaryOptions {
  std::string Format = "text", Output = "-";
  ReadReportsOptions Read;
  ViewOptions View;

  std::vector<OptionRow> rows() {
    return {{"--format", "FORM", "text or json",
             storeWord(Format, {"text", "json"})},
            {"-o", "FILE", "write it there", store(Output)},
            {"--jobs", "N", "files at once; as many as cores by default",
             storeNumber(Read.NumJobs)}};
  }
};

} // namespace

/// Of \p F what a line about its kernel shows.
static Finding findingOf(const FindingSummary &F, RuleId Rule) {
  Finding Out;
  Out.Rule = Rule;
  Out.Remark = F.Kind.empty() || F.Kind == remarkKindKey(ruleRemarkKind(Rule))
                   ? ruleRemarkKind(Rule)
                   : RemarkKind::Analysis;
  SourcePlace Place;
  Place.File = F.File;
  Place.Line = F.Line;
  Place.Column = F.Column;
  Out.Location.Places.push_back(std::move(Place));
  Out.Message.push_back({"Message", F.Message});
  if (F.Gain)
    Out.Gain = *F.Gain;
  return Out;
}

/// Of \p K what writeSummary shows. Rules of a newer version are passed over.
static KernelReport kernelOf(const KernelSummary &K) {
  KernelReport Out;
  Out.Facts.Name = K.Name;
  Out.Facts.Demangled = K.Demangled;
  Out.Facts.Place.File = K.File;
  Out.Facts.Place.Line = K.Line;
  Out.Facts.Resources.RegistersPerThread =
      unsigned(K.Resources.Registers.value_or(0));
  Out.Device = K.Device;
  Out.Predicted.WarpsPerSm = unsigned(K.Resources.WarpsPerSm.value_or(0));
  Out.Predicted.Needed.P90 =
      K.NeededWarps.value_or(std::numeric_limits<double>::infinity());
  if (std::optional<Resource> Unit = parseResource(K.Limiter))
    Out.Predicted.Diagnosed.Unit = *Unit;
  if (K.TimeNs) {
    TimeEstimate Time;
    Time.Ns = *K.TimeNs;
    Out.Predicted.Time = Time;
  }
  if (K.RestsOnAssumptions)
    Out.Profile.Assumptions.emplace_back();
  for (const FindingSummary &F : K.Findings) {
    Expected<RuleId> Rule = findRule(F.Rule);
    if (!Rule) {
      consumeError(Rule.takeError());
      continue;
    }
    Finding Its = findingOf(F, *Rule);
    // A line shows the best, or the first that says what to change.
    if (K.CannotRun || Its.Gain ||
        (Its.Remark == RemarkKind::Passed && *Rule != RuleId::KernelVerdict &&
         Out.Findings.empty()))
      Out.Findings.push_back(std::move(Its));
  }
  return Out;
}

static Error writeText(ArrayRef<std::string> Files,
                       const SummaryOptions &Options, raw_ostream &OS) {
  Report All;
  if (Error E = readReports(Files, Options.Read, [&](ReportFile File) {
        for (const KernelSummary &K : File.Summary.Kernels)
          (K.CannotRun ? All.Refused : All.Kernels).push_back(kernelOf(K));
        return Error::success();
      }))
    return E;
  return findReportView("summary")->Write(All, Options.View, OS);
}

/// What of each kernel is compared, as its report spells it.
static Error writeJson(ArrayRef<std::string> Files,
                       const SummaryOptions &Options, raw_ostream &OS) {
  std::vector<std::string> Refused;
  OS << "{\"kernels\":[";
  ListSeparator Comma(",\n");
  if (Error E = readReports(Files, Options.Read, [&](ReportFile File) {
        for (const std::string &K : File.Short.Kernels)
          OS << Comma << K;
        move(File.Short.Refused, std::back_inserter(Refused));
        return Error::success();
      }))
    return E;
  OS << "],\n\"cannot_run\":[" << join(Refused, ",\n")
     << formatv("],\n\"schema_version\":{0},\"tool\":{1}}\n",
                Report::CurrentSchema, json::Value(toolVersion()));
  return Error::success();
}

Expected<ExitStatus> gpuocc::runSummary(ArrayRef<StringRef> Arguments) {
  SummaryOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, SummaryUsage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.empty())
    return createStringError(
        "summary needs a report; see 'gpu-occupancy summary --help'");
  if (Error E = checkOutput(Options.Output, Parsed->Positional))
    return std::move(E);
  Expected<std::vector<std::string>> Files = listReports(Parsed->Positional);
  if (!Files)
    return Files.takeError();
  Options.View = viewForOutput(Options.View, Options.Output);
  Options.Read.WithShortKernels = Options.Format == "json";
  if (Error E = writeOutput(Options.Output, [&](raw_ostream &OS) {
        return Options.Format == "json" ? writeJson(*Files, Options, OS)
                                        : writeText(*Files, Options, OS);
      }))
    return std::move(E);
  return StatusGood;
}
