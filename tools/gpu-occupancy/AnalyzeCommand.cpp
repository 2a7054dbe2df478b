//===- AnalyzeCommand.cpp - gpu-occupancy analyze -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalyzeProject.h"
#include "CheckOutputs.h"
#include "Commands.h"
#include "FileOptions.h"
#include "GuessOptions.h"
#include "OutputView.h"
#include "Project.h"
#include "SourceEdits.h"
#include "driver/Finish.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Report/FailOn.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/LaunchesToGive.h"
#include "gpuocc/Views/ReportView.h"
#include "gpuocc/Views/WriteDevices.h"
#include "sources/AssessFile.h"
#include "sources/TritonCache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral AnalyzeUsage =
    "usage: gpu-occupancy analyze FILE... [options] [-- compiler options]\n"
    "       gpu-occupancy analyze [-p BUILD] [FILE|FOLDER|GLOB]... [options]\n"
    "\n"
    "Says for each kernel of CUDA sources (.cu), LLVM modules (.ll, .bc),\n"
    "MLIR (.mlir) and PTX (.ptx, or in objects, libraries and programs) what\n"
    "limits it, how many warps it needs and has, and what each line costs.\n"
    "Of a set of "
    "sources (a compilation database, folders,\n"
    "globs) it shows a summary; of a folder with PTX only, such as one of\n"
    "Triton's cache, all PTX is read. Without a file it reads the project in\n"
    "the current folder. Options of each source come from the compilation\n"
    "database that is named, or nearest to it (compile_commands.json beside\n"
    "it, above it, or in a folder 'build' there); then those behind \"--\",\n"
    "which are clang's or nvcc's.\n";

/// So many files have a summary.
static constexpr size_t FilesOfSummary = 3;

namespace {

struct AnalyzeOptions {
  AssessFileOptions Files;
  ProjectOptions Sets;
  /// Empty: text, or a summary of a set of files.
  std::string Format;
  std::string Output = "-";
  /// Where the launches to fill in go; empty: nowhere.
  std::string LaunchesOutput;
  /// Several files: the kernel of a --launch may be in any of them.
  bool ChecksLaunches = false;
  /// Findings get the edits that mend them.
  bool WithEdits = false;
  ViewOptions View;
  /// Of the devices of Files; empty: not asked for.
  HourlyPrices Prices;
  FailOn Criteria;
  /// The options of Files as they were given, for the analyses of a set.
  std::vector<std::string> Given;

  std::vector<OptionRow> rows();
  Error write(const Report &R, raw_ostream &OS) const {
    // Several devices are for comparing; the paragraphs of each would bury it.
    if (Format == "text" && !Files.Devices.empty())
      return writeDeviceTable(R, Prices, OS);
    return findReportView(Format)->Write(R, View, OS);
  }
};

} // namespace

std::vector<OptionRow> AnalyzeOptions::rows() {
  std::vector<OptionRow> Rows;
  for (const OptionRow &Row : Files.rows())
    Rows.push_back(noting(Row, Given));
  append_range(Rows, Sets.rows());
  append_range(
      Rows,
      std::vector<OptionRow>{
          {"--format", "FORM",
           "text, summary, remarks, json, yaml, sarif, github, markdown or "
           "html",
           storeWord(Format, namesOf(reportViews()))},
          {"--details", "", "text for a set of files too",
           [this](StringRef) {
             Format = "text";
             return Error::success();
           }},
          {"--diff", "",
           "add patches that mend findings, each compiled and priced; with "
           "--format also to json and sarif",
           [this](StringRef) {
             WithEdits = true;
             return Error::success();
           }},
          {"-o", "FILE", "write the report there", store(Output)},
          {"--max-findings", "N",
           "findings shown per kernel in text; 0 shows all",
           storeNumber(View.MaxFindings)},
          {"--fail-on", "gain:N|rule:NAME|advisory",
           "end with status 1 where a finding gains N or is of a rule",
           [this](StringRef Value) { return addCriteria(Value, Criteria); }},
          {"--prices", "FILE",
           "with --devices: a JSON object of devices and what an hour of each "
           "costs; the table then has prices, and ranks by time and by money",
           [this](StringRef Path) -> Error {
             Expected<HourlyPrices> Read = readHourlyPrices(Path);
             if (!Read)
               return Read.takeError();
             Prices = std::move(*Read);
             return Error::success();
           }},
          {"--write-launches", "FILE",
           "write the lines of a .gpu-occupancy for kernels whose launch is "
           "not known there, with their arguments to fill in; to standard "
           "output where no FILE is given",
           store(LaunchesOutput), "-"},
          {"--with-facts", "",
           "JSON that can be read back: with everything known of the kernels",
           [this](StringRef) {
             View.Contents = JSONContents::WithData;
             return Error::success();
           }},
          {"--only-data", "", "",
           [this](StringRef) {
             View.Contents = JSONContents::OnlyData;
             return Error::success();
           }},
          {"--to-compare", "", "", [this](StringRef) {
             View.Contents = JSONContents::ToCompare;
             return Error::success();
           }}});
  return Rows;
}

/// Prints why \p File was not analyzed, in one line that names it.
static void printFailure(StringRef File, bool IsOneOfSeveral, Error E) {
  if (IsOneOfSeveral && !StringRef(toStringWithoutConsuming(E)).contains(File))
    E = createStringError("'" + File + "': " + toString(std::move(E)));
  printError(ProgramName, std::move(E));
}

/// What a trial of an edit is analyzed with.
static std::vector<std::string> optionsOfTrial(const AnalyzeOptions &Options,
                                               const FileOptions &OfFile) {
  std::vector<std::string> Out = Options.Given;
  append_range(Out, OfFile.ofDatabase());
  for (const std::string &Word : OfFile.get().Source.NvccArguments)
    if (OfFile.ofDatabase().empty())
      Out.push_back("--nvcc-option=" + Word);
  return Out;
}

/// Each file by itself, in this process.
static Expected<ProjectResult> analyzeFiles(ArrayRef<StringRef> Inputs,
                                            ArrayRef<StringRef> CompilerOptions,
                                            AnalyzeOptions &Options) {
  if (StringRef Cache = Options.Sets.Cache; Cache != "auto")
    Options.Files.Source.CacheFolder = Cache == "off" ? "" : Cache.str();
  Expected<std::vector<std::string>> Files = withPtxOfFolders(Inputs);
  if (!Files)
    return Files.takeError();
  Options.ChecksLaunches = Files->size() > 1;
  Options.Files.Session.IsOneOfSet |= Options.ChecksLaunches;
  ProjectResult Result;
  Result.All.Tool = toolVersion();
  UnmatchedLaunches Unmatched;
  for (StringRef File : *Files) {
    Expected<AssessedFile> Assessed = assessNamedFile(
        File, Options.Files, CompilerOptions, Options.Sets, &Unmatched);
    if (!Assessed || Assessed->IsPartial)
      Result.Status = StatusFailed;
    if (!Assessed) {
      printFailure(File, Files->size() > 1, Assessed.takeError());
      continue;
    }
    if (Options.WithEdits)
      if (Error E = addEdits(Assessed->What, File,
                             optionsOfTrial(Options, Assessed->Options),
                             Assessed->Options.compilerOptions()))
        return std::move(E);
    Result.All.append(std::move(Assessed->What));
  }
  for (const std::string &Note : Unmatched.notes())
    errs() << "note: " << printable(Note) << '\n';
  return Result;
}

static Expected<ProjectResult> analyzeSet(ArrayRef<StringRef> Inputs,
                                          ArrayRef<StringRef> CompilerOptions,
                                          AnalyzeOptions &Options) {
  Options.ChecksLaunches = true;
  std::vector<std::string> Given = Options.Given;
  Given.push_back("--one-of-set");
  if (Options.WithEdits)
    Given.push_back("--diff");
  return analyzeProject(Inputs, CompilerOptions, Options.Sets,
                        PassedOptions::of(std::move(Given), Options.Files));
}

/// Of a set of files, one at least has the kernel of each --launch.
static Error checkLaunches(const SessionOptions &Session, const Report &R) {
  std::vector<LaunchSpec> Launches;
  for (const std::string &Text : Session.Launches) {
    Expected<LaunchSpec> Spec = parseLaunchSpec(Text);
    if (!Spec)
      return Spec.takeError();
    Launches.push_back(std::move(*Spec));
  }
  std::vector<KernelFacts> Kernels;
  for (const std::vector<KernelReport> *All : {&R.Kernels, &R.Refused})
    for (const KernelReport &K : *All) {
      KernelFacts Named;
      Named.Name = K.Facts.Name;
      Named.Demangled = K.Facts.Demangled;
      Kernels.push_back(std::move(Named));
    }
  return checkKernelsExist(Launches, Kernels);
}

/// The lines to fill in; of a file, only where there is none yet.
static Expected<ExitStatus> writeLaunches(StringRef Output,
                                          const ProjectResult &Result) {
  if (Output != "-" && sys::fs::exists(Output))
    return createStringError("'" + Output +
                             "' exists: name another file, or write to "
                             "standard output and add the lines by hand");
  if (Error E = writeOutput(Output, [&](raw_ostream &OS) {
        return writeLaunchesToGive(Result.All, OS);
      }))
    return std::move(E);
  return Result.Status;
}

static ExitStatus judge(const Report &R, const FailOn &Criteria) {
  std::vector<Problem> Problems = collectProblems(R);
  if (!R.Refused.empty())
    errs() << formatCount(double(R.Refused.size()), "launch")
           << " cannot run\n";
  // Launches that cannot run fail without being asked about.
  const size_t NumFailures =
      count_if(failures(Problems, Criteria), [](const Problem *P) {
        return severityOf(*P->What) != Severity::Error;
      });
  if (NumFailures != 0)
    errs() << formatCount(double(NumFailures), "finding")
           << " beyond --fail-on\n";
  return R.Refused.empty() && NumFailures == 0 ? StatusGood : StatusFindings;
}

Expected<ExitStatus> gpuocc::runAnalyze(ArrayRef<StringRef> Arguments) {
  AnalyzeOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, AnalyzeUsage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Options.Criteria.comparesSides())
    return createStringError(
        "--fail-on: slowdowns and growth need two sides: use 'gpu-occupancy "
        "diff' or 'check'");
  if (Parsed->Positional.empty() && Options.Sets.Build.empty())
    Parsed->Positional.push_back(CurrentFolder);
  if (!Options.Prices.empty() && Options.Files.Devices.empty())
    return createStringError("--prices compares devices: name them with "
                             "--devices");
  ArrayRef<StringRef> Inputs = Parsed->Positional;
  if (Error E = checkOutputBefore(Options.Output, Inputs, Options.Files,
                                  Options.Sets.Build))
    return std::move(E);
  Expected<bool> LacksDevices =
      dropUnknownDevices(Options.Files, &Options.Given);
  if (!LacksDevices)
    return LacksDevices.takeError();
  if (Error E = checkForAllFiles(Options.Files))
    return std::move(E);
  Options.View = viewForOutput(Options.View, Options.Output);
  Options.Files.Session.SweepSizes =
      Options.View.Contents != JSONContents::ToCompare;
  const bool IsSet = asksForProject(Inputs, Options.Sets);
  if (Options.Format.empty())
    Options.Format =
        (IsSet || Inputs.size() >= FilesOfSummary) && !Options.WithEdits
            ? "summary"
            : "text";
  Expected<ProjectResult> Result =
      IsSet ? analyzeSet(Inputs, Parsed->Rest, Options)
            : analyzeFiles(Inputs, Parsed->Rest, Options);
  if (!Result)
    return Result.takeError();
  if (*LacksDevices)
    Result->Status = StatusFailed;
  if (Options.ChecksLaunches)
    if (Error E = checkLaunches(Options.Files.Session, Result->All)) {
      // A file that could not be analyzed may have the kernel, and be it for
      // this launch: its error has been told.
      if (Result->Status == StatusFailed)
        errs() << "note: " << printable(toString(std::move(E)))
               << " (of what could be analyzed)\n";
      else
        printError(ProgramName, std::move(E));
      Result->Status = StatusFailed;
    }
  if (Result->Status == StatusFailed && Result->All.Kernels.empty() &&
      Result->All.Refused.empty())
    return Result->Status;
  if (Error E = checkOutputAfter(Options.Output, Result->All, Result->Files))
    return std::move(E);
  if (!Options.LaunchesOutput.empty())
    return writeLaunches(Options.LaunchesOutput, *Result);
  if (Error E = writeOutput(Options.Output, [&](raw_ostream &OS) {
        return Options.write(Result->All, OS);
      }))
    return std::move(E);
  return std::max(Result->Status, judge(Result->All, Options.Criteria));
}
