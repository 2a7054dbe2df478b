//===- RunJobs.cpp - Many files at once -----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunJobs.h"
#include "GuessedMacros.h"
#include "driver/Session.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/JSON.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Support/ExitStatus.h"
#include "gpuocc/Support/KeptFiles.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Toolchain/Process.h"
#include "sources/Compiler.h"
#include "sources/NamedFiles.h"
#include "sources/ReadBinary.h"
#include "sources/ReportCache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Files done and kernels found.
class Progress {
public:
  Progress(size_t NumFiles, ProgressForm Form)
      : NumFiles(NumFiles), Form(Form), Between(secondsBetweenLines()) {}
  ~Progress() {
    if (Form == ProgressForm::Live)
      errs() << "\r\033[K";
  }

  void fileDone(const JobOutcome &Outcome) {
    std::lock_guard<std::mutex> Lock(Mutex);
    ++NumDone;
    if (Outcome.What)
      NumKernels += Outcome.What->Kernels.size() + Outcome.What->Refused.size();
    if (Outcome.Summary)
      NumKernels += Outcome.Summary->Kernels.size();
    if (Form == ProgressForm::Live)
      errs() << "\r\033[K" << text();
    else if (Form == ProgressForm::Lines && NumDone != NumFiles && isDue())
      errs() << text() << '\n';
  }

private:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  /// As the scripts of the build say it.
  static double secondsBetweenLines() {
    constexpr double Usual = 20;
    double Given = Usual;
    std::optional<std::string> Text =
        sys::Process::GetEnv("GPUOCC_PROGRESS_SECONDS");
    return Text && to_float(*Text, Given) && Given >= 0 ? Given : Usual;
  }

  bool isDue() {
    const Clock::time_point Now = Clock::now();
    if (Seconds(Now - Told).count() < Between)
      return false;
    Told = Now;
    return true;
  }

  std::string text() const {
    const double Spent = Seconds(Clock::now() - Start).count();
    return "[" + std::to_string(NumDone) + '/' +
           formatCount(double(NumFiles), "file") + "] " +
           formatCount(double(NumKernels), "kernel") + ", " +
           std::to_string(
               unsigned(Spent / NumDone * (NumFiles - NumDone) + 0.5)) +
           " s left";
  }

  size_t NumFiles, NumDone = 0, NumKernels = 0;
  ProgressForm Form;
  double Between;
  std::mutex Mutex;
  Clock::time_point Start = Clock::now(), Told = Start;
};

} // namespace

std::vector<std::string> gpuocc::optionsOf(const SourceJob &Job) {
  std::vector<std::string> Options = {"--built-by=" + Job.BuiltBy};
  for (const std::string &Word : Job.Arguments.Nvcc)
    Options.push_back("--nvcc-option=" + Word);
  for (const std::string &Word : Job.Arguments.Ptxas)
    Options.push_back("--nvcc-option=-Xptxas=" + Word);
  if (Job.Arguments.MaxRegisters)
    Options.push_back("--nvcc-option=-Xptxas=-maxrregcount=" +
                      utostr(*Job.Arguments.MaxRegisters));
  for (const std::string &Arch : Job.Arguments.Architectures)
    Options.push_back("--build-arch=" + Arch);
  return Options;
}

/// The command line of the analysis of \p Job but for its dependence file.
static std::vector<std::string> commandOf(const SourceJob &Job,
                                          const RunJobsOptions &Options) {
  std::vector<std::string> Command = {
      "analyze", Job.File, "--format=json",
      Options.OnlySummaries ? "--to-compare" : "--only-data", "--no-database"};
  append_range(Command, optionsOf(Job));
  Command.push_back("--cache=" + (Options.CacheFolder.empty()
                                      ? std::string("off")
                                      : Options.CacheFolder));
  append_range(Command, Options.Common);
  Command.push_back("--");
  append_range(Command, Job.Arguments.Clang);
  if (!Job.Directory.empty())
    Command.push_back("-working-directory=" + Job.Directory);
  return Command;
}

/// The programs that make reports, and what the environment tells them: none
/// of it changes during a run.
static std::string stateOfPrograms(StringRef ClangChoice) {
  const CudaToolkit Toolkit =
      findCudaToolkit(CudaToolkitPlaces::ofThisMachine());
  std::string State = toolVersion() + "\n" +
                      stateOfFile(besideProgram("bin/gpu-occupancy")) + "\n" +
                      stateOfFile(besideProgram("lib/GpuOccupancyPasses.so")) +
                      "\n" + Toolkit.Root + "\n";
  for (StringRef Program :
       {StringRef(Toolkit.Nvcc), StringRef(Toolkit.Ptxas),
        StringRef(Toolkit.Nvdisasm), StringRef(Toolkit.Cuobjdump)})
    State += stateOfFile(Program) + "\n";
  if (Expected<std::string> Clang = findClang(ClangChoice))
    State += *Clang + "\n" + stateOfFile(*Clang) + "\n";
  else
    consumeError(Clang.takeError());
  for (StringRef Name :
       {"GPU_OCCUPANCY_CODE", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
        "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS"})
    State += sys::Process::GetEnv(Name).value_or("") + "\n";
  return State;
}

/// What decides the outcome beside the contents of files.
static std::string keyOf(ArrayRef<std::string> Command, StringRef Config,
                         StringRef Programs) {
  return join(Command, "\n") + "\n" + Config.str() + "\n" + Programs.str();
}

template <typename T> static std::optional<T> unlessError(Expected<T> Value) {
  if (Value)
    return std::move(*Value);
  consumeError(Value.takeError());
  return std::nullopt;
}

/// Takes the report in \p Json over into \p Out, unless it is none.
static void readReport(StringRef Json, StringRef File, bool OnlySummary,
                       JobOutcome &Out) {
  if (OnlySummary)
    Out.Summary = unlessError(parseReportSummary(Json, File));
  else
    Out.What = unlessError(parseReport(Json, File));
}

/// What was kept under \p Key for \p Job, or for what it stands in for.
static std::optional<KeptReport> findKept(const SourceJob &Job, StringRef Key,
                                          ReportCache &Cache) {
  if (!Job.Stands)
    return Cache.find(Key);
  SmallVector<StringRef, 16> Parts;
  Key.split(Parts, Job.Stands->Tree);
  return Cache.find(join(Parts, Job.Stands->Original),
                    [&](StringRef Path) { return Job.Stands->pathFor(Path); });
}

static JobOutcome failed(const SourceJob &Job, Error E) {
  JobOutcome Outcome;
  Outcome.Messages =
      "error: '" + Job.File + "': " + toString(std::move(E)) + "\n";
  return Outcome;
}

/// Keeps what came of a run over \p Job. That a source is wrong is known until
/// one of its files changes; what another try may mend is not kept.
static void keep(ProcessResult Run, const JobOutcome &Outcome,
                 std::vector<std::string> Dependencies, StringRef Key,
                 ReportCache &Cache) {
  const bool IsComplete = Outcome.hasReport() && (Run.Status == StatusGood ||
                                                  Run.Status == StatusFindings);
  const bool IsWrong = Run.Output.empty() && isErrorInSource(Outcome.Messages);
  if (Dependencies.empty() || (!IsComplete && !IsWrong))
    return;
  Cache.store(Key, {IsComplete ? std::move(Run.Output) : std::string(),
                    Outcome.Messages, std::move(Dependencies)});
}

static JobOutcome outcomeOf(KeptReport Kept, StringRef File, bool OnlySummary) {
  JobOutcome Outcome;
  Outcome.Messages = std::move(Kept.Messages);
  if (Kept.Json.empty())
    return Outcome;
  readReport(Kept.Json, File, OnlySummary, Outcome);
  Outcome.Dependencies = std::move(Kept.Dependencies);
  return Outcome;
}

static JobOutcome runJob(const SourceJob &Job, const RunJobsOptions &Options,
                         StringRef Programs, ReportCache &Cache) {
  std::vector<std::string> Command = commandOf(Job, Options);
  std::string Config =
      Options.ConfigPath.empty() ? findConfig(Job.File) : Options.ConfigPath;
  std::string Key = keyOf(Command, Config, Programs);
  if (std::optional<KeptReport> Kept = findKept(Job, Key, Cache)) {
    const bool HasReport = !Kept->Json.empty();
    JobOutcome Outcome =
        outcomeOf(std::move(*Kept), Job.File, Options.OnlySummaries);
    if (Outcome.hasReport() || !HasReport)
      return Outcome;
  }

  Expected<TemporaryFile> Dependencies = TemporaryFile::create("gpuocc", "d");
  if (!Dependencies)
    return failed(Job, Dependencies.takeError());
  append_range(Command,
               ArrayRef<std::string>{"-MD", "-MF", Dependencies->path().str()});
  ProcessOptions Limits;
  Limits.LimitSeconds = Options.LimitSeconds;
  std::vector<StringRef> Arguments(Command.begin(), Command.end());
  Expected<ProcessResult> Run =
      runProcess(besideProgram("bin/gpu-occupancy"), Arguments, Limits);
  if (!Run)
    return failed(Job, Run.takeError());
  JobOutcome Outcome;
  Outcome.Messages = std::move(Run->ErrorOutput);
  if (Run->Status < 0)
    return failed(Job,
                  createStringError("the analysis " +
                                    howItEnded(*Run, Limits.LimitSeconds)));
  if (!Run->Output.empty())
    readReport(Run->Output, Job.File, Options.OnlySummaries, Outcome);
  Outcome.IsPartial = Outcome.hasReport() && Run->Status == StatusFailed;
  Expected<std::string> Rule = Dependencies->read();
  if (!Rule) {
    consumeError(Rule.takeError());
    return Outcome;
  }
  std::vector<std::string> Files;
  for (const std::string &Path : parseDependencies(*Rule))
    Files.push_back(absolutePath(Path, Job.Directory));
  // No compiler reads a binary, which is all that its report is made from.
  if (Files.empty() && isBinaryWithCode(Job.File))
    Files.push_back(absolutePath(Job.File));
  if (Outcome.hasReport())
    Outcome.Dependencies = Files;
  // A tree that stands in for another goes away.
  if (Job.Stands || Files.empty())
    return Outcome;
  append_range(Files, Options.InputFiles);
  append_range(Files, filesOfConfig(Config));
  keep(std::move(*Run), Outcome, std::move(Files), Key, Cache);
  return Outcome;
}

/// As runJob, and where options are guessed with the headers of the repository
/// and the macros that the file cannot do without. What came first counts if
/// these do not help.
static JobOutcome runJobWithGuesses(const SourceJob &Job,
                                    const RunJobsOptions &Options,
                                    StringRef Programs, ReportCache &Cache) {
  if (Job.GuessedIn.empty())
    return runJob(Job, Options, Programs, Cache);
  std::optional<JobOutcome> First;
  JobOutcome Last;
  auto Run = [&](const SourceJob &Guessed) -> std::optional<std::string> {
    Last = runJob(Guessed, Options, Programs, Cache);
    if (Last.hasReport())
      return std::nullopt;
    if (!First)
      First = Last;
    return Last.Messages;
  };
  SourceJob Guessed = Job;
  std::vector<GuardedName> Steps;
  if (!runGuessing(Guessed, Run, Steps))
    return std::move(*First);
  Last.Guessed = std::move(Steps);
  return Last;
}

std::set<std::string> gpuocc::filesOf(ArrayRef<JobOutcome> Outcomes) {
  std::set<std::string> Files;
  for (const JobOutcome &Outcome : Outcomes)
    Files.insert(Outcome.Dependencies.begin(), Outcome.Dependencies.end());
  return Files;
}

std::vector<JobOutcome> gpuocc::runJobs(ArrayRef<SourceJob> Jobs,
                                        const RunJobsOptions &Options) {
  std::vector<JobOutcome> Outcomes(Jobs.size());
  ReportCache Cache(Options.CacheFolder);
  const std::string Programs = stateOfPrograms(Options.Clang);
  Progress Shown(Jobs.size(), Options.Progress);
  DefaultThreadPool Pool(hardware_concurrency(Options.NumJobs));
  auto Start = [&](size_t I) {
    Pool.async([&, I] {
      Outcomes[I] = runJobWithGuesses(Jobs[I], Options, Programs, Cache);
      Shown.fileDone(Outcomes[I]);
    });
  };
  for (size_t I = 0; I != Jobs.size(); ++I)
    if (!Jobs[I].IsPart)
      Start(I);
  Pool.wait();
  const std::set<std::string> Read = filesOf(Outcomes);
  for (size_t I = 0; I != Jobs.size(); ++I) {
    if (!Jobs[I].IsPart)
      continue;
    if (!Read.count(absolutePath(Jobs[I].File))) {
      Start(I);
      continue;
    }
    Outcomes[I].IsPart = true;
    Shown.fileDone(Outcomes[I]);
  }
  Pool.wait();
  return Outcomes;
}
