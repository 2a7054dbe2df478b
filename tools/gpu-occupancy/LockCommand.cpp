//===- LockCommand.cpp - gpu-occupancy lock -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalyzeProject.h"
#include "Commands.h"
#include "LockedKernels.h"
#include "MoreOutputs.h"
#include "ReportFiles.h"
#include "driver/Arguments.h"
#include "driver/Session.h"
#include "gpuocc/Lock/CompareLocks.h"
#include "gpuocc/Lock/UnifiedDiff.h"
#include "gpuocc/Report/FailOn.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/WriteGate.h"
#include "gpuocc/Views/WriteLock.h"
#include "sources/AssessFile.h"
#include "sources/ReadBinary.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral LockUsage =
    "usage: gpu-occupancy lock INPUT... [-o FILE] [options]\n"
    "       gpu-occupancy lock --check INPUT... [options]\n"
    "\n"
    "Writes registers, spills, stack, shared memory and blocks per SM of each\n"
    "kernel to gpu-occupancy.lock, to be checked in; of sources also the time\n"
    "of each launch that is known. Inputs are objects, libraries, programs,\n"
    "cubins and fat binaries, which are read without a toolkit, reports that\n"
    "compiles left, folders of them, or what 'analyze' reads. With --check it\n"
    "compares with the file, and ends with status 1 where a change costs "
    "time.\n";

/// Predictions that grow by less are not slower.
static constexpr double DefaultSlowdown = 1.1;

namespace {

struct LockOptions {
  AssessFileOptions Files;
  ProjectOptions Sets;
  std::string Output = LockFileName.str();
  std::string Format = "text";
  bool Checks = false, IsStrict = false, Explains = false;
  FailOn Criteria;
  std::vector<std::string> Given;
  std::vector<MoreOutput> Also;

  std::vector<OptionRow> rows();
};

/// Inputs by how they are read.
struct LockInputs {
  std::vector<std::string> Binaries, Reports;
  std::vector<StringRef> Sources;
};

} // namespace

/// An option without a value.
static std::function<Error(StringRef)> setFlag(bool &Flag) {
  return [&Flag](StringRef) {
    Flag = true;
    return Error::success();
  };
}

std::vector<OptionRow> LockOptions::rows() {
  std::vector<StringRef> Formats = {"text", "markdown"};
  append_range(Formats, namesOf(gateViews()));
  std::vector<OptionRow> Rows = {
      {"-o", "FILE", "the lock file (gpu-occupancy.lock)", store(Output)},
      {"--check", "", "compare with the lock file instead of writing it",
       setFlag(Checks)},
      {"--strict", "", "with --check: any change is a fault",
       setFlag(IsStrict)},
      {"--explain", "", "with --check: group what changed by cause",
       setFlag(Explains)},
      {"--format", "FORM",
       "of --check: text, markdown, lines, github, sarif or codequality",
       storeWord(Format, Formats)},
      alsoRow(Also, Formats),
      {"--fail-on", "slowdown:N", "with --check: what counts as slower (1.1)",
       [this](StringRef Value) { return addCriteria(Value, Criteria); }}};
  for (const OptionRow &Row : Files.rows())
    Rows.push_back(noting(Row, Given));
  append_range(Rows, Sets.rows());
  return Rows;
}

/// The binaries below \p Folder, in the order of their paths.
static Expected<std::vector<std::string>> binariesBelow(StringRef Folder) {
  std::vector<std::string> Found;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator It(Folder, EC,
                                                /*follow_symlinks=*/false),
       End;
       It != End && !EC; It.increment(EC))
    if (It->type() == sys::fs::file_type::regular_file &&
        isBinaryWithCode(It->path()))
      Found.push_back(It->path());
  if (EC)
    return createStringError("cannot read folder '" + Folder +
                             "': " + EC.message());
  llvm::sort(Found);
  return Found;
}

/// A folder stands for the reports below it, where there are none for the
/// binaries, and else for its sources.
static Expected<LockInputs> sortInputs(ArrayRef<StringRef> Inputs) {
  LockInputs Sorted;
  for (StringRef Input : Inputs) {
    if (Input.starts_with("@") || Input.ends_with(".json")) {
      Expected<std::vector<std::string>> Reports = listReports(Input);
      if (!Reports)
        return Reports.takeError();
      append_range(Sorted.Reports, *Reports);
    } else if (sys::fs::is_directory(Input)) {
      Expected<std::vector<std::string>> Reports = reportsBelow(Input);
      if (!Reports)
        return Reports.takeError();
      append_range(Sorted.Reports, *Reports);
      if (!Reports->empty())
        continue;
      Expected<std::vector<std::string>> Binaries = binariesBelow(Input);
      if (!Binaries)
        return Binaries.takeError();
      append_range(Sorted.Binaries, *Binaries);
      if (Binaries->empty())
        Sorted.Sources.push_back(Input);
    } else if (isBinaryWithCode(Input)) {
      Sorted.Binaries.push_back(Input.str());
    } else {
      Sorted.Sources.push_back(Input);
    }
  }
  return Sorted;
}

/// Adds the kernels of \p Files, which compiles left, to \p Lock.
static Error addReports(ArrayRef<std::string> Files, unsigned NumJobs,
                        LockFile &Lock) {
  SummariesToLock Kernels;
  ReadReportsOptions Options;
  Options.NumJobs = NumJobs;
  if (Error E = readReports(Files, Options, [&](ReportFile File) -> Error {
        for (const KernelSummary &K : File.Summary.Kernels)
          if (K.Architecture.empty())
            return createStringError(
                "a report of " + printable(File.Summary.Tool) +
                " does not say its architectures: write it again with this "
                "gpu-occupancy");
        Kernels.add(File.Summary);
        return Error::success();
      }))
    return E;
  Kernels.moveTo(Lock);
  return Error::success();
}

static Expected<LockFile> readLock(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message() +
                             "; 'gpu-occupancy lock INPUT...' writes it");
  return parseLock((*Buffer)->getBuffer(), Path);
}

/// What \p Inputs hold now.
static Expected<LockFile> collect(const LockInputs &Inputs,
                                  ArrayRef<StringRef> CompilerOptions,
                                  const LockOptions &Options) {
  LockFile Lock;
  Lock.Tool = toolVersion();
  BinaryOptions Binaries;
  Binaries.ConfigPath = Options.Files.Session.ConfigPath;
  Binaries.NumJobs = Options.Sets.NumJobs;
  for (const std::string &Text : Options.Files.Session.Launches) {
    Expected<LaunchSpec> Spec = parseLaunchSpec(Text);
    if (!Spec)
      return Spec.takeError();
    Binaries.Launches.push_back(std::move(*Spec));
  }
  if (Error E = addBinaries(Inputs.Binaries, Binaries, Lock))
    return std::move(E);
  if (Error E = addReports(Inputs.Reports, Options.Sets.NumJobs, Lock))
    return std::move(E);
  if (!Inputs.Sources.empty() || !Options.Sets.Build.empty()) {
    Expected<ProjectResult> Result =
        analyzeProject(Inputs.Sources, CompilerOptions, Options.Sets,
                       PassedOptions::of(Options.Given, Options.Files));
    if (!Result)
      return Result.takeError();
    if (Result->Status == StatusFailed)
      return createStringError("not all inputs could be read");
    addReport(Result->All, Lock);
  }
  if (Lock.Kernels.empty())
    return createStringError("there are no kernels in what was given");
  if (Error E = normalize(Lock))
    return std::move(E);
  return Lock;
}

static std::set<StringRef> architecturesOf(const LockFile &Lock) {
  std::set<StringRef> Architectures;
  for (const LockedKernel &K : Lock.Kernels)
    Architectures.insert(K.Architecture);
  return Architectures;
}

/// Leaves the kernels in \p Now for architectures that \p Then has. Fails where
/// there are none.
static Error limitTo(const LockFile &Then, StringRef Path, LockFile &Now) {
  const std::set<StringRef> Wanted = architecturesOf(Then),
                            Found = architecturesOf(Now);
  auto IsWanted = [&](StringRef Architecture) {
    return Wanted.count(Architecture) != 0;
  };
  if (!Wanted.empty() && none_of(Found, IsWanted))
    return createStringError("'" + Path + "' is for " + join(Wanted, ", ") +
                             ", and the inputs are for " + join(Found, ", "));
  if (!Wanted.empty())
    erase_if(Now.Kernels,
             [&](const LockedKernel &K) { return !IsWanted(K.Architecture); });
  return Error::success();
}

/// Writes \p Outcome; \p Then is the text of the lock file.
static void write(StringRef Form, const LockOutcome &Outcome, StringRef Then,
                  const LockOptions &Options, raw_ostream &OS) {
  if (const GateView *View = findGateView(Form))
    return View->Write(
        gateEntries(Outcome.Changes, Then, Options.Output, Options.IsStrict),
        OS);
  writeLockChanges(Outcome,
                   Form == "markdown" ? LockFormat::Markdown : LockFormat::Text,
                   OS);
}

static Expected<ExitStatus> check(const LockFile &Then, LockFile Now,
                                  const LockOptions &Options) {
  if (Error E = limitTo(Then, Options.Output, Now))
    return std::move(E);
  const std::vector<LockChange> Changes = compareLocks(
      Then, Now, Options.Criteria.Slowdown.value_or(DefaultSlowdown));
  const std::string ThenText = lockText(Then);
  const std::string Patch =
      Changes.empty() ? ""
                      : unifiedDiff(ThenText, lockText(Now), Options.Output);
  const LockOutcome Outcome = {Changes, Now.Kernels.size(), Patch,
                               Options.Explains};
  std::vector<MoreOutput> Outputs = Options.Also;
  Outputs.push_back({Options.Format, "-"});
  if (Error E = writeOutputs(Outputs, [&](StringRef Form, raw_ostream &OS) {
        write(Form, Outcome, ThenText, Options, OS);
      }))
    return std::move(E);
  const bool IsFault =
      Options.IsStrict ? !Changes.empty() : any_of(Changes, costsTime);
  errs() << formatCount(double(Now.Kernels.size()), "kernel")
         << " checked against " << Options.Output << ": "
         << (IsFault ? "changes that cost time" : "good") << '\n';
  return IsFault ? StatusFindings : StatusGood;
}

Expected<ExitStatus> gpuocc::runLock(ArrayRef<StringRef> Arguments) {
  LockOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, LockUsage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.empty() && Options.Sets.Build.empty())
    return createStringError(
        "lock needs an input; see 'gpu-occupancy lock --help'");
  FailOn OnlySlowdown;
  OnlySlowdown.Slowdown = Options.Criteria.Slowdown;
  if (!(Options.Criteria == OnlySlowdown))
    return createStringError("lock takes --fail-on=slowdown:N only");
  if (!Options.Checks && !Options.Also.empty())
    return createStringError("lock takes --also with --check only");
  if (!Options.Checks)
    if (Error E = checkOutput(Options.Output, Parsed->Positional))
      return std::move(E);
  std::vector<StringRef> Read = Parsed->Positional;
  Read.push_back(Options.Output);
  if (Error E = checkOutputs(Options.Also, Read))
    return std::move(E);
  if (Error E = checkForAllFiles(Options.Files))
    return std::move(E);
  LockFile Then;
  if (Options.Checks) {
    if (Error E = readLock(Options.Output).moveInto(Then))
      return std::move(E);
    const bool NamesDevice = !Options.Files.Session.Device.empty() ||
                             !Options.Files.Devices.empty() ||
                             !Options.Files.Source.Architecture.empty();
    if (!NamesDevice && !Then.Devices.empty()) {
      Options.Files.Devices = Then.Devices;
      Options.Given.push_back("--devices=" + join(Then.Devices, ","));
    }
  }
  Expected<LockInputs> Inputs = sortInputs(Parsed->Positional);
  if (!Inputs)
    return Inputs.takeError();
  Expected<LockFile> Now = collect(*Inputs, Parsed->Rest, Options);
  if (!Now)
    return Now.takeError();
  if (Options.Checks)
    return check(Then, std::move(*Now), Options);
  if (Error E = writeOutput(Options.Output, lockText(*Now)))
    return std::move(E);
  errs() << formatCount(double(Now->Kernels.size()), "kernel") << " written to "
         << Options.Output << '\n';
  return StatusGood;
}
