//===- LspAnalyzer.cpp - Analyses for the language server -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LspAnalyzer.h"
#include "LspJob.h"
#include "LspJobOutput.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Report/RuleNames.h"
#include "gpuocc/Support/KeptFiles.h"
#include "gpuocc/Support/Paths.h"
#include "sources/Compiler.h"
#include "sources/ReportCache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// Of one menu of code actions, and of the one before.
static constexpr size_t MostTrials = 16;

LspAnalyzer::LspAnalyzer(StringRef Scratch) : Scratch(Scratch) {
  SmallString<128> Preambles(Scratch);
  sys::path::append(Preambles, "preambles");
  sys::fs::create_directory(Preambles);
}

static std::string below(StringRef Folder, const Twine &Name) {
  SmallString<128> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

Expected<LspAnalyzer::Compilation>
LspAnalyzer::compilationOf(const AnalysisRequest &Request,
                           std::vector<std::string> &Notes) {
  std::vector<std::string> Left;
  Expected<std::optional<SourceJob>> Found =
      jobFromDatabase(Request.Set.CompilationDatabase, Request.File, {}, Left);
  if (!Found)
    return Found.takeError();
  for (const std::string &Note : Left)
    Notes.push_back("note: " + Note);
  if (!*Found)
    if (const SourceJob *Guessed =
            Guesses.find(Request.File, Request.Set.CompilerArguments))
      return Compilation{*Guessed, true};
  SourceJob Job;
  Job.File = Request.File;
  const bool MayGuess = !*Found;
  if (*Found)
    Job = std::move(**Found);
  Expected<TranslatedArguments> More =
      compilerArguments(Request.Set.CompilerArguments, Job.Directory);
  if (!More)
    return More.takeError();
  append_range(Job.Arguments.Clang, More->Clang);
  append_range(Job.Arguments.Architectures, More->Architectures);
  return Compilation{std::move(Job), MayGuess};
}

/// Options of `analyze` that decide the facts.
static std::vector<std::string> factOptions(const Settings &Set,
                                            const SourceJob &Job) {
  std::vector<std::string> Options = {"--built-by=" + Job.BuiltBy,
                                      "--ptxas=" + Set.Ptxas};
  if (!Set.Clang.empty())
    Options.push_back("--clang=" + Set.Clang);
  for (const std::string &Arch : Job.Arguments.Architectures)
    Options.push_back("--build-arch=" + Arch);
  return Options;
}

/// Options that decide what the facts come to.
static std::vector<std::string> sessionOptions(const AnalysisRequest &Request) {
  std::vector<std::string> Options;
  const std::string &Device =
      Request.Device.empty() ? Request.Set.Device : Request.Device;
  if (!Device.empty())
    Options.push_back("--device=" + Device);
  for (const std::string &Launch : Request.Set.Launches)
    Options.push_back("--launch=" + Launch);
  return Options;
}

static std::string hashText(StringRef Text) {
  return utohexstr(xxh3_64bits(Text), /*LowerCase=*/true, 16);
}

/// Changes when what the compiler reads as \p File does.
static std::string stateOf(StringRef File, const AnalysisRequest &Request) {
  if (auto Found = Request.Buffers.find(File.str());
      Found != Request.Buffers.end())
    return hashText(*Found->second);
  return stateOfFile(File);
}

static std::string textOfFile(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// What the facts of \p Request are made of.
static std::string factsKey(const AnalysisRequest &Request,
                            const SourceJob &Source,
                            ArrayRef<std::string> Dependencies) {
  std::string Key = join(factOptions(Request.Set, Source), "\n") + "\n" +
                    join(Source.Arguments.Clang, "\n");
  for (const std::string &File : Dependencies)
    if (File != Source.File)
      Key += "\n" + File + " " + stateOf(File, Request);
  const auto Main = Request.Buffers.find(Source.File);
  return Key + "\n" +
         (Main == Request.Buffers.end()
              ? stateOf(Source.File, Request)
              : utohexstr(TokenList(Main->second).hash()));
}

/// The device that \p Request or the configuration names, which may be a file;
/// empty when neither does.
static std::string deviceOf(const AnalysisRequest &Request, StringRef Config) {
  if (!Request.Device.empty())
    return Request.Device;
  if (!Request.Set.Device.empty() || Config.empty())
    return Request.Set.Device;
  Expected<gpuocc::Config> Read = loadConfig(Config, ruleNames());
  if (Read)
    return Read->Device.value_or("");
  consumeError(Read.takeError());
  return "";
}

/// What the report of \p Request is made of beside the facts.
static std::string sessionKey(const AnalysisRequest &Request,
                              StringRef Source) {
  const std::string Config = findConfig(Source);
  std::string Key = join(sessionOptions(Request), "\n") + "\n" + Config + "\n";
  if (!Config.empty())
    Key += textOfFile(Config);
  if (const std::string Device = deviceOf(Request, Config);
      sys::fs::exists(Device))
    Key += "\n" + stateOfFile(Device);
  return Key;
}

Expected<LspAnalyzer::Job>
LspAnalyzer::prepareJob(const AnalysisRequest &Request, SourceJob Source,
                        const Texts &Analyzed) {
  Job J{std::move(Source), {}, {}, ""};
  auto AddFile = [&](StringRef Suffix, StringRef Text) -> Error {
    Expected<TemporaryFile> File = TemporaryFile::create("gpuocc", Suffix);
    if (!File)
      return File.takeError();
    J.Files.push_back(std::move(*File));
    return J.Files.back().write(Text);
  };
  json::Object Buffers;
  for (const auto &[File, Text] : Request.Buffers) {
    const auto Old = Analyzed.find(File);
    if (Error E = AddFile("txt", Old == Analyzed.end() ? StringRef(*Text)
                                                       : Old->second->text()))
      return std::move(E);
    Buffers[File] = J.Files.back().path();
  }
  if (Error E = AddFile("json",
                        formatv("{0}", json::Value(std::move(Buffers))).str()))
    return std::move(E);
  const std::string Manifest = J.Files.back().path().str();
  if (Error E = AddFile("d", ""))
    return std::move(E);
  J.Dependencies = J.Files.back().path().str();
  J.Command = {"lsp", LspJobWord.str(), J.Source.File, "--buffers=" + Manifest,
               "--preambles=" + below(Scratch, "preambles")};
  append_range(J.Command, factOptions(Request.Set, J.Source));
  append_range(J.Command, sessionOptions(Request));
  return J;
}

Expected<ProcessResult> LspAnalyzer::run(const Job &J,
                                         const AnalysisRequest &Request,
                                         const StopFlag &Stop,
                                         ArrayRef<std::string> More) {
  std::vector<std::string> Command = J.Command;
  append_range(Command, More);
  Command.push_back("--");
  append_range(Command, J.Source.Arguments.Clang);
  if (!J.Source.Directory.empty())
    Command.push_back("-working-directory=" + J.Source.Directory);
  append_range(Command, ArrayRef<std::string>{"-MD", "-MF", J.Dependencies});
  ProcessOptions Options;
  Options.LimitSeconds = Request.Set.LimitSeconds;
  Options.Stop = &Stop;
  std::vector<StringRef> Words(Command.begin(), Command.end());
  return runProcess(besideProgram("bin/gpu-occupancy"), Words, Options);
}

static bool hasReport(const ProcessResult &Run) {
  return Run.Status >= 0 && !Run.Output.empty();
}

Expected<ProcessResult>
LspAnalyzer::runGuessing(Job &J, const AnalysisRequest &Request,
                         const StopFlag &Stop, ArrayRef<std::string> More,
                         std::vector<std::string> &Notes) {
  Expected<ProcessResult> First = run(J, Request, Stop, More);
  if (!First || Stop || hasReport(*First))
    return First;
  const std::vector<std::string> &Given = Request.Set.CompilerArguments;
  Expected<TranslatedArguments> Arguments = compilerArguments(Given, "");
  if (!Arguments)
    return Arguments.takeError();
  SourceJob Own = J.Source;
  std::optional<ProcessResult> Helped;
  auto Try = [&](const SourceJob &Guess) -> std::optional<std::string> {
    J.Source = Guess;
    Expected<ProcessResult> Next = run(J, Request, Stop, More);
    if (!Next) {
      consumeError(Next.takeError());
      return "";
    }
    if (Stop || !hasReport(*Next))
      return Stop ? "" : std::move(Next->ErrorOutput);
    Helped = std::move(*Next);
    return std::nullopt;
  };
  std::optional<std::vector<std::string>> Guessed = Guesses.guess(
      Request.File, Given, *Arguments, First->ErrorOutput,
      /*WasAnalyzed=*/KeptOf[Request.File].Result.has_value(), Try);
  if (!Guessed) {
    J.Source = std::move(Own);
    return First;
  }
  for (const std::string &Note : *Guessed)
    Notes.push_back("note: " + Note);
  return std::move(*Helped);
}

/// The first error of the compiler in \p Messages: "FILE:LINE:COLUMN: error:".
static std::optional<CompilerError> firstError(StringRef Messages) {
  for (StringRef Line : split(Messages, '\n')) {
    auto [Place, Text] = Line.split(" error: ");
    if (Text.empty())
      Text = Line.split(" fatal error: ").second;
    if (Text.empty() || !Place.consume_back(":"))
      continue;
    auto [FileAndLine, Column] = Place.rsplit(':');
    auto [File, LineText] = FileAndLine.rsplit(':');
    CompilerError E;
    if (LineText.getAsInteger(10, E.Line) || Column.getAsInteger(10, E.Column))
      continue;
    E.File = File.str();
    E.Message = Text.str();
    return E;
  }
  return std::nullopt;
}

/// Why \p Run has no report, in one line.
static std::string problemOf(const ProcessResult &Run, unsigned LimitSeconds) {
  if (Run.Status < 0)
    return "the analysis " + howItEnded(Run, LimitSeconds);
  StringRef Last = StringRef(Run.ErrorOutput).rtrim().rsplit('\n').second;
  if (Last.empty())
    Last = StringRef(Run.ErrorOutput).rtrim();
  Last.consume_front("gpu-occupancy: error: ");
  return Last.empty() ? "the analysis " + howItEnded(Run, LimitSeconds)
                      : Last.str();
}

/// What the session noted, without what the compiler said of the source.
static std::vector<std::string> notesIn(StringRef Messages) {
  std::vector<std::string> Notes;
  for (StringRef Line : split(Messages, '\n'))
    if (Line.starts_with("note: ") || Line.starts_with("warning: "))
      Notes.push_back(Line.str());
  return Notes;
}

/// What came of \p Run, without the report.
static AnalysisResult resultOf(const ProcessResult &Run,
                               const SourceJob &Source, unsigned LimitSeconds) {
  AnalysisResult Result;
  Result.Notes = notesIn(Run.ErrorOutput);
  if (hasReport(Run))
    return Result;
  Result.Problem = problemOf(Run, LimitSeconds);
  Result.Error = firstError(Run.ErrorOutput);
  if (Result.Error)
    Result.Error->File = absolutePath(Result.Error->File, Source.Directory);
  return Result;
}

static AnalysisResult failed(Error E) {
  AnalysisResult Result;
  Result.Problem = toString(std::move(E));
  return Result;
}

/// Files that the compiler read, by its dependence file.
static std::vector<std::string> readDependencies(StringRef Path,
                                                 StringRef Directory) {
  std::vector<std::string> Files;
  for (const std::string &File : parseDependencies(textOfFile(Path)))
    Files.push_back(absolutePath(File, Directory));
  return Files;
}

std::map<std::string, const KernelReport *>
LspAnalyzer::keptReports(const Kept &Slot) {
  std::map<std::string, const KernelReport *> Reports;
  if (Slot.Result && Slot.Result->What)
    for (const auto &[Key, R] :
         zip_equal(Slot.Keys, Slot.Result->What->Kernels))
      Reports[Key] = &R;
  return Reports;
}

AnalysisResult LspAnalyzer::analyze(const AnalysisRequest &Request,
                                    const StopFlag &Stop) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point Start = Clock::now();
  std::vector<std::string> Notes;
  Expected<Compilation> Found = compilationOf(Request, Notes);
  if (!Found)
    return failed(Found.takeError());
  SourceJob &Source = Found->Source;
  Kept Fresh;
  Kept &Slot = Request.IsTrial ? Fresh : KeptOf[Request.File];
  const std::string Session = sessionKey(Request, Source.File);
  const bool HasFacts =
      !Slot.Facts.empty() &&
      Slot.Made == factsKey(Request, Source, Slot.Dependencies);
  if (HasFacts && Slot.Result && Slot.Assessed == Session)
    return *Slot.Result;
  const std::string TrialKey =
      Request.IsTrial
          ? factsKey(Request, Source, KeptOf[Request.File].Dependencies) +
                "\n" + Session
          : "";
  if (Request.IsTrial)
    for (const Trial &T : Trials)
      if (T.Key == TrialKey)
        return T.Result;
  // Places in kept facts are those of the text that they were made of.
  Expected<Job> J =
      prepareJob(Request, std::move(Source), HasFacts ? Slot.Words : Texts());
  if (!J)
    return failed(J.takeError());
  std::vector<std::string> More;
  if (!Request.IsTrial && !HasFacts) {
    // Those of a text that does not compile are none.
    if (!Slot.Made.empty())
      std::swap(Slot.Known, Slot.Facts);
    sys::fs::remove_directories(Slot.Facts);
    Slot.Facts = below(Scratch, "facts" + Twine(++NumFolders));
    Slot.Made.clear();
    sys::fs::create_directory(Slot.Facts);
  }
  if (!HasFacts) {
    const Kept &Earlier = KeptOf[Request.File];
    const std::string &Known =
        Earlier.Made.empty() ? Earlier.Known : Earlier.Facts;
    if (!Known.empty())
      More.push_back("--known-facts=" + below(Known, "facts"));
  }
  if (!Request.IsTrial)
    More.push_back("--kept-facts=" + below(Slot.Facts, "facts"));
  // Those of kernels that are the same, launched as before.
  const std::map<std::string, const KernelReport *> Earlier =
      keptReports(KeptOf[Request.File]);
  Expected<TemporaryFile> Keys = TemporaryFile::create("gpuocc", "keys");
  if (!Keys)
    return failed(Keys.takeError());
  if (Error E = Keys->write(join(make_first_range(Earlier), "\n")))
    return failed(std::move(E));
  More.push_back("--known-reports=" + Keys->path().str());
  Expected<ProcessResult> Run =
      Found->MayGuess ? runGuessing(*J, Request, Stop, More, Notes)
                      : run(*J, Request, Stop, More);
  if (Stop) {
    if (!Run)
      consumeError(Run.takeError());
    AnalysisResult Stopped;
    Stopped.Stopped = true;
    return Stopped;
  }
  if (!Run)
    return failed(Run.takeError());
  AnalysisResult Result = resultOf(*Run, J->Source, Request.Set.LimitSeconds);
  append_range(Result.Notes, Notes);
  std::vector<std::string> KeysOfResult;
  if (Result.Problem.empty()) {
    Expected<KeyedReport> Read =
        readJobOutput(Run->Output, J->Source.File, Earlier);
    if (!Read)
      return failed(Read.takeError());
    Result.What = std::move(Read->What);
    KeysOfResult = std::move(Read->Keys);
  }
  Result.Seconds = std::chrono::duration<double>(Clock::now() - Start).count();
  if (!HasFacts)
    for (const auto &[File, Text] : Request.Buffers)
      Slot.Words[File] = std::make_shared<const TokenList>(Text);
  Result.Words = Slot.Words;
  if (Request.IsTrial) {
    Trials.push_back({TrialKey, Result});
    if (Trials.size() > MostTrials)
      Trials.pop_front();
  }
  if (Request.IsTrial || !Result.What)
    return Result;
  if (!HasFacts) {
    // What a preamble read is not named again.
    for (std::string &File :
         readDependencies(J->Dependencies, J->Source.Directory))
      if (!is_contained(Slot.Dependencies, File))
        Slot.Dependencies.push_back(std::move(File));
    Slot.Made = factsKey(Request, J->Source, Slot.Dependencies);
  }
  Result.Dependencies = Slot.Dependencies;
  Slot.Assessed = Session;
  Slot.Result = Result;
  Slot.Keys = std::move(KeysOfResult);
  return Result;
}

/// Preambles that are kept, of some 10 MB each.
static constexpr size_t MostPreambles = 16;

void LspAnalyzer::prepare(const AnalysisRequest &Request,
                          const StopFlag &Stop) {
  std::vector<std::string> Notes;
  Expected<Compilation> Found = compilationOf(Request, Notes);
  if (!Found)
    return consumeError(Found.takeError());
  Expected<Job> J = prepareJob(Request, std::move(Found->Source), Texts());
  if (!J)
    return consumeError(J.takeError());
  consumeError(run(*J, Request, Stop, {"--build-preamble"}).takeError());
  keepNewestFiles(below(Scratch, "preambles"), MostPreambles);
}
