//===- AnalyzeProject.cpp - The kernels of many files ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AnalyzeProject.h"
#include "FailureHints.h"
#include "driver/Session.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Toolchain/AllowedOptions.h"
#include "gpuocc/Toolchain/KnownCompilers.h"
#include "sources/Compiler.h"
#include "sources/NamedFiles.h"
#include "sources/ReadSource.h"
#include "sources/ReportCache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

std::vector<OptionRow> ProjectOptions::rows() {
  return {
      {"-p", "BUILD", "compilation database, or the folder that holds it",
       store(Build)},
      {"--jobs", "N", "files at once, of a set (as many as cores)",
       storeNumber(NumJobs)},
      {"--timeout", "SECONDS", "limit for each file of a set; 0: none (300)",
       storeNumber(LimitSeconds)},
      {"--query-driver", "GLOB,...",
       "paths of host compilers that a database may name for nvcc",
       [this](StringRef Globs) {
         QueryDrivers = splitList(Globs);
         return checkGlobs(QueryDrivers);
       }},
      {"--no-database", "", "",
       [this](StringRef) {
         LooksForDatabases = false;
         return Error::success();
       }},
      {"--cache", "auto|off|FOLDER",
       "where reports of unchanged files of a set are kept", store(Cache)},
  };
}

bool gpuocc::asksForProject(ArrayRef<StringRef> Inputs,
                            const ProjectOptions &Options) {
  return !Options.Build.empty() || any_of(Inputs, namesSeveralFiles);
}

Expected<Project> gpuocc::selectFiles(ArrayRef<StringRef> Inputs,
                                      ArrayRef<StringRef> CompilerOptions,
                                      const ProjectOptions &Options) {
  std::vector<std::string> Words(CompilerOptions.begin(),
                                 CompilerOptions.end());
  Expected<TranslatedArguments> More = compilerArguments(Words, ".");
  if (!More)
    return More.takeError();
  if (Options.Build.empty())
    return projectOfFolders(Inputs, *More, Options.QueryDrivers);
  Expected<std::vector<CompileCommand>> Commands =
      loadCompileCommands(Options.Build);
  if (!Commands)
    return Commands.takeError();
  Expected<Project> Selected =
      projectOfBuild(*Commands, Inputs, Options.QueryDrivers);
  if (!Selected)
    return Selected.takeError();
  for (SourceJob &Job : Selected->Jobs) {
    append_range(Job.Arguments.Clang, More->Clang);
    append_range(Job.Arguments.Nvcc, More->Nvcc);
  }
  return Selected;
}

/// A note on standard error that ends with \p Files, the first few by name.
static void tellFiles(StringRef Note, ArrayRef<StringRef> Files) {
  static constexpr size_t MostNamed = 3;
  if (Files.empty())
    return;
  errs() << "note: " << Note << ": "
         << join(map_range(Files.take_front(MostNamed),
                           [](StringRef File) {
                             return "'" + printable(File) + "'";
                           }),
                 ", ");
  if (Files.size() > MostNamed)
    errs() << " and " << formatCount(Files.size() - MostNamed, "other");
  errs() << '\n';
}

static void tellFailure(const SourceJob &Job, const JobOutcome &Outcome) {
  errs() << "error: '" << printable(Job.File) << "' was not analyzed: "
         << printable(firstCompilerError(Outcome.Messages)) << '\n';
}

/// Says on standard error which files have no report; returns how many failed:
/// files that others include are parts, which are analyzed with those.
static size_t tellFailures(ArrayRef<SourceJob> Jobs,
                           ArrayRef<JobOutcome> Outcomes) {
  const std::set<std::string> Included = filesOf(Outcomes);
  std::vector<StringRef> Parts, LostParts;
  std::vector<size_t> Failed, Lost;
  for (size_t I = 0; I != Jobs.size(); ++I) {
    if (Outcomes[I].hasReport())
      continue;
    if (Outcomes[I].IsPart || Included.count(absolutePath(Jobs[I].File)))
      Parts.push_back(Jobs[I].File);
    else
      (Jobs[I].IsPart ? Lost : Failed).push_back(I);
  }
  // A part fails by itself where the file that includes it failed.
  if (Failed.empty())
    std::swap(Failed, Lost);
  for (size_t I : Failed)
    tellFailure(Jobs[I], Outcomes[I]);
  tellHints(Jobs, Outcomes);
  for (size_t I : Lost)
    LostParts.push_back(Jobs[I].File);
  tellFiles("analyzed with the files that include them", Parts);
  tellFiles("not analyzed, nor were the files that include them", LostParts);
  if (!Failed.empty())
    errs() << Failed.size() + Lost.size() << " of "
           << formatCount(Jobs.size(), "file") << " not analyzed\n";
  return Failed.size();
}

/// Says once what analyses of several files warned of, and which kernels they
/// left out: headers have many readers.
static void tellWarnings(ArrayRef<JobOutcome> Outcomes) {
  std::set<StringRef> Said;
  for (const JobOutcome &Outcome : Outcomes) {
    SmallVector<StringRef, 8> Lines;
    StringRef(Outcome.Messages).split(Lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef Line : Lines)
      if (Outcome.hasReport() &&
          (Line.starts_with("warning: ") ||
           Line.starts_with("gpu-occupancy: error: ")) &&
          Said.insert(Line).second)
        errs() << Line << '\n';
  }
}

/// Says once that launches may be missing, with the first file where they may
/// be.
static void tellMissingLaunches(ArrayRef<JobOutcome> Outcomes) {
  StringRef First;
  size_t NumOthers = 0;
  for (const JobOutcome &Outcome : Outcomes)
    for (StringRef Line : split(Outcome.Messages, '\n')) {
      if (!Outcome.hasReport() || !Line.starts_with(MissingLaunchesNote))
        continue;
      NumOthers += !First.empty();
      if (First.empty())
        First = Line;
    }
  if (First.empty())
    return;
  errs() << First;
  if (NumOthers != 0)
    errs() << " (and in " << formatCount(NumOthers, "other file") << ')';
  errs() << '\n';
}

OptionRow gpuocc::noting(OptionRow Row, std::vector<std::string> &Given) {
  Row.Set = [Set = Row.Set, Name = Row.Name, HasValue = !Row.ValueName.empty(),
             &Given](StringRef Value) {
    Given.push_back(HasValue ? (Name + "=" + Value).str() : Name.str());
    return Set(Value);
  };
  return Row;
}

PassedOptions PassedOptions::of(std::vector<std::string> Given,
                                const AssessFileOptions &Files) {
  PassedOptions Passed;
  Passed.Given = std::move(Given);
  Passed.ConfigPath = Files.Session.ConfigPath;
  Passed.Clang = Files.Source.Clang;
  std::vector<std::string> Devices = Files.Devices;
  Devices.push_back(Files.Session.Device);
  copy_if(Devices, std::back_inserter(Passed.InputFiles), isDevicePath);
  return Passed;
}

RunJobsOptions gpuocc::runOptions(const ProjectOptions &Options,
                                  const PassedOptions &Passed) {
  RunJobsOptions Run;
  Run.Common = Passed.Given;
  Run.ConfigPath = Passed.ConfigPath;
  Run.Clang = Passed.Clang;
  Run.InputFiles = Passed.InputFiles;
  Run.OnlySummaries = Passed.OnlySummaries;
  Run.NumJobs = Options.NumJobs;
  Run.LimitSeconds = Options.LimitSeconds;
  if (Options.Cache == "auto")
    Run.CacheFolder = ReportCache::defaultFolder();
  else if (Options.Cache != "off")
    Run.CacheFolder = Options.Cache;
  Run.Progress = sys::Process::StandardErrIsDisplayed() ? ProgressForm::Live
                                                        : ProgressForm::Lines;
  return Run;
}

ProjectResult gpuocc::collectReports(ArrayRef<SourceJob> Jobs,
                                     std::vector<JobOutcome> Outcomes) {
  ProjectResult Result;
  Result.All.Tool = toolVersion();
  const std::set<std::string> Headers = filesOf(Outcomes);
  Result.Files.assign(Headers.begin(), Headers.end());
  for (const SourceJob &Job : Jobs) {
    Result.Files.push_back(Job.File);
    append_range(Result.Files, filesOfConfig(findConfig(Job.File)));
  }
  tellWarnings(Outcomes);
  tellMissingLaunches(Outcomes);
  if (tellFailures(Jobs, Outcomes) != 0 ||
      any_of(Outcomes, [](const JobOutcome &O) { return O.IsPartial; }))
    Result.Status = StatusFailed;
  Result.Summary.Tool = Result.All.Tool;
  for (JobOutcome &Outcome : Outcomes) {
    if (Outcome.What)
      Result.All.append(std::move(*Outcome.What));
    if (Outcome.Summary)
      Result.Summary.append(std::move(*Outcome.Summary));
  }
  return Result;
}

Expected<ProjectResult> gpuocc::analyzeProject(
    ArrayRef<StringRef> Inputs, ArrayRef<StringRef> CompilerOptions,
    const ProjectOptions &Options, const PassedOptions &Passed) {
  Expected<Project> Selected = selectFiles(Inputs, CompilerOptions, Options);
  if (!Selected)
    return Selected.takeError();
  if (Selected->Jobs.empty())
    return createStringError("there is nothing to analyze: " +
                             join(Selected->Notes, "; "));
  for (const std::string &Note : Selected->Notes)
    errs() << "note: " << printable(Note) << '\n';
  return collectReports(Selected->Jobs,
                        runJobs(Selected->Jobs, runOptions(Options, Passed)));
}
