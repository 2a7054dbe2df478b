//===- KernelsCommand.cpp - Real kernels ----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseLaunch.h"
#include "CaseRecord.h"
#include "CaseSources.h"
#include "Commands.h"
#include "CoverageTable.h"
#include "FindingTable.h"
#include "KernelTable.h"
#include "LineTable.h"
#include "ViewsTable.h"
#include "driver/Arguments.h"
#include "driver/SeenInLaunch.h"
#include "gpuocc/Assess/Assess.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/RuleIds.h"
#include "sources/ReadSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral KernelsUsage =
    "usage: gpu-occupancy-accuracy kernels --truth DIR --sources DIR "
    "[options]\n"
    "\n"
    "Predicts kernels that were measured with hardware counters and compares.\n"
    "DIR/*.json hold the measurements; sources are SUITE/FILE or "
    "REPOSITORY/FILE.\n"
    "The headline set has each kernel once: clang's build where it was "
    "measured,\n"
    "otherwise nvcc's. Code is always compiled by clang. The host code of "
    "each\n"
    "program is built and run without a GPU, with the command line of the\n"
    "measurement, for the arguments and data that no file says. With\n"
    "--record=run its kernels run too, on the CPU, until the launches that\n"
    "were measured have been.\n";

namespace {

struct KernelsOptions {
  std::string Truth, Sources, Launches, Facts, Only;
  std::string Device = "nvidia-h200";
  std::string Builds = "all";
  std::string Record = "on";
  std::string Format = "text";
  unsigned Seconds = CaseRunOptions().LimitSeconds;
  SourceOptions Source;

  KernelsOptions() { Source.View = "auto"; }

  std::vector<OptionRow> rows() {
    return {
        {"--truth", "DIR", "folder of measurements", store(Truth)},
        {"--sources", "DIR", "folder of the programs", store(Sources)},
        {"--launches", "DIR", "scalar arguments, DIR/SUITE.yaml",
         store(Launches)},
        {"--facts", "DIR",
         "keep facts of compiled files and recorded launches there and use "
         "them",
         store(Facts)},
        {"--record", "on|off|run",
         "run the host code of programs for arguments and data; run: and their "
         "kernels",
         storeWord(Record, {"on", "off", "run"})},
        {"--timeout", "SECONDS", "a program is ended then (default: 150)",
         storeNumber(Seconds)},
        {"--only", "REGEX", "cases whose id matches", store(Only)},
        {"--compiler", "clang|all", "builds to compare with",
         storeWord(Builds, {"clang", "all"})},
        {"--device", "NAME", "device of the measurements", store(Device)},
        {"--clang", "PROGRAM", "compiler", store(Source.Clang)},
        {"--code", "nvcc|clang",
         "compiler whose code is read of programs that nvcc builds",
         storeWord(Source.Code, {"nvcc", "clang"})},
        {"--ptxas", "auto|off|FILE", "assembler that is asked for registers",
         store(Source.Ptxas)},
        {"--view", "auto|mir|sass",
         "compare machine code too: where its programs are found, never, or "
         "else fail",
         storeWord(Source.View, {"auto", "mir", "sass"})},
        {"--format", "text|json", "form of the tables",
         storeWord(Format, {"text", "json"})},
    };
  }
};

/// Cases that were predicted, and those that were not.
struct Results {
  std::vector<CaseResult> Cases;
  /// Of programs whose host code was run, by program.
  std::map<std::string, std::string> RecordNotes;
  std::vector<KernelRow> Rows;
  std::vector<LineRow> Lines;
  std::vector<FindingRow> Findings;
  /// Those of them whose machine code was predicted too.
  std::vector<CaseResult> CodeCases;
  std::vector<KernelRow> CodeRows;
};

} // namespace

static Expected<std::vector<TruthCase>> chosenCases(const KernelsOptions &O) {
  if (O.Truth.empty() || O.Sources.empty())
    return createStringError("kernels needs --truth and --sources; see "
                             "'gpu-occupancy-accuracy kernels --help'");
  for (StringRef Folder : {StringRef(O.Sources), StringRef(O.Launches)})
    if (!Folder.empty() && !sys::fs::is_directory(Folder))
      return createStringError("there is no folder '" + Folder + "'");
  Regex Only(O.Only.empty() ? "." : O.Only);
  std::string Problem;
  if (!Only.isValid(Problem))
    return createStringError("--only '" + O.Only + "': " + Problem);
  Expected<std::vector<TruthCase>> Cases = loadTruth(O.Truth);
  if (!Cases)
    return Cases;
  erase_if(*Cases, [&](const TruthCase &C) {
    return !Only.match(C.Id) || (O.Builds == "clang" && !C.isClangBuild());
  });
  if (Cases->empty())
    return createStringError("no case of '" + O.Truth + "' is left to compare");
  return Cases;
}

static CaseCounts countsOf(const CaseLaunch &L) {
  if (!L.IsReached)
    return CaseCounts::NotReached;
  if (L.Seen)
    return CaseCounts::Counted;
  return L.What.Memory.empty() ? CaseCounts::Code : CaseCounts::Recorded;
}

/// Of the MIR view, or of \p Code.
static Expected<KernelReport>
predictCase(const TruthCase &C, CaseSources &Sources, CaseLaunches &Launches,
            const DeviceModel &Device, CaseCounts &Counts,
            const KernelFacts *Code = nullptr) {
  Expected<const KernelFacts *> Facts = Sources.find(C);
  if (!Facts)
    return Facts.takeError();
  Expected<CaseLaunch> L = Launches.find(C, **Facts);
  if (!L)
    return L.takeError();
  Counts = countsOf(*L);
  // Findings are compared with the counters of their lines, not by price.
  AssessOptions Options;
  for (unsigned R = 0; R != NumRules; ++R)
    if (!is_contained(JudgedRules, RuleId(R)))
      Options.Suppress.push_back(ruleName(RuleId(R)).str());
  Options.MinimumGain = 0;
  followSeen(L->Seen, Options.Lanes);
  Options.Lanes.Turns = L->Turns;
  Predictor Model(Device);
  if (Code)
    return assessMachineCode(**Facts, *Code, std::move(L->What), Model,
                             Options);
  return assess(**Facts, std::move(L->What), Model, Options);
}

/// Adds what the machine code of a predicted case comes to, if there is any
/// that can be joined.
static void predictMachineCode(const CaseResult &Case, CaseSources &Sources,
                               CaseLaunches &Launches,
                               const DeviceModel &Device, Results &All) {
  const KernelFacts *Code = Sources.findMachineCode(Case.Truth);
  if (!Code)
    return;
  CaseCounts Counts = CaseCounts::HostCode;
  Expected<KernelReport> R =
      predictCase(Case.Truth, Sources, Launches, Device, Counts, Code);
  if (!R) {
    consumeError(R.takeError());
    return;
  }
  if (!R->Facts.isInIssueOrder())
    return;
  CaseResult &OfCode = All.CodeCases.emplace_back();
  OfCode.Truth = Case.Truth;
  OfCode.Predicted = std::move(*R);
  if (Expected<KernelRow> Row = compareKernel(OfCode))
    All.CodeRows.push_back(*Row);
  else
    consumeError(Row.takeError());
}

static Expected<Results> predictAll(std::vector<TruthCase> Cases,
                                    KernelsOptions &O) {
  Expected<DeviceModel> Device = loadDevice(O.Device);
  if (!Device)
    return Device.takeError();
  O.Source.Architecture = Device->Architecture;
  O.Source.CacheFolder = folderOfPtx(O.Facts);
  if (Error E = checkCompiler(O.Source))
    return std::move(E);
  Expected<KeptFacts> Kept = KeptFacts::create(O.Facts);
  if (!Kept)
    return Kept.takeError();
  CaseSources Sources(O.Sources, std::move(*Kept), O.Source);
  CaseRecord Record(Cases, Sources, KeptRecords(O.Facts), O.Source, *Device,
                    {O.Record == "run", O.Seconds});
  CaseLaunches Launches(O.Launches, O.Record == "off" ? nullptr : &Record);
  Results All;
  // Rows point at them.
  All.Cases.reserve(Cases.size());
  All.CodeCases.reserve(Cases.size());
  for (TruthCase &C : Cases) {
    CaseResult &Case = All.Cases.emplace_back();
    Case.Truth = std::move(C);
    auto Decline = [&](Error E) { Case.Declined = toString(std::move(E)); };
    Expected<KernelReport> R =
        predictCase(Case.Truth, Sources, Launches, *Device, Case.Counts);
    if (O.Record != "run")
      Case.Counts = CaseCounts::HostCode;
    if (!R) {
      Decline(R.takeError());
      continue;
    }
    Case.Predicted = std::move(*R);
    Expected<KernelRow> Row = compareKernel(Case);
    if (!Row) {
      Decline(Row.takeError());
      continue;
    }
    All.Rows.push_back(*Row);
    append_range(All.Lines, compareLines(Case));
    append_range(All.Findings, judgeFindings(Case));
    predictMachineCode(Case, Sources, Launches, *Device, All);
  }
  All.RecordNotes = Record.notes();
  return All;
}

namespace {

/// A set of cases that is summed up on its own.
struct CaseSet {
  StringLiteral Title, Key;
  function_ref<bool(const TruthCase &)> Contains;
};

} // namespace

template <typename Row, typename Predicate>
static std::vector<Row> rowsOf(ArrayRef<Row> Rows, Predicate Contains) {
  std::vector<Row> Chosen;
  for (const Row &R : Rows)
    if (Contains(R.Case->Truth))
      Chosen.push_back(R);
  return Chosen;
}

/// The rows of programs whose kernels ran that came to the launch.
static std::vector<KernelRow> reached(ArrayRef<KernelRow> Rows) {
  std::vector<KernelRow> Chosen;
  for (const KernelRow &R : Rows)
    if (R.Case->Counts != CaseCounts::HostCode &&
        R.Case->Counts != CaseCounts::NotReached)
      Chosen.push_back(R);
  return Chosen;
}

/// Calls \p Visit with the title, key, kernels, lines, findings and number of
/// declined cases of each set that has cases.
template <typename Function>
static void forEachSet(const Results &All, Function Visit) {
  StringSet<> ClangKeys;
  for (const CaseResult &C : All.Cases)
    if (C.Truth.isClangBuild())
      ClangKeys.insert(C.Truth.key());
  auto IsHeadline = [&](const TruthCase &T) {
    return T.isClangBuild() || !ClangKeys.contains(T.key());
  };
  auto IsClang = [](const TruthCase &T) { return T.isClangBuild(); };
  auto IsAny = [](const TruthCase &) { return true; };
  const CaseSet Sets[] = {{"each kernel once", "headline", IsHeadline},
                          {"builds of clang", "clang", IsClang},
                          {"all builds", "all", IsAny}};
  for (const CaseSet &Set : Sets) {
    if (none_of(All.Cases,
                [&](const CaseResult &C) { return Set.Contains(C.Truth); }))
      continue;
    unsigned NumDeclined = count_if(All.Cases, [&](const CaseResult &C) {
      return !C.Declined.empty() && Set.Contains(C.Truth);
    });
    Visit(
        Set.Title, Set.Key, rowsOf(ArrayRef<KernelRow>(All.Rows), Set.Contains),
        rowsOf(ArrayRef<LineRow>(All.Lines), Set.Contains),
        rowsOf(ArrayRef<FindingRow>(All.Findings), Set.Contains), NumDeclined);
  }
}

static std::vector<IntervalCase> intervalsOf(ArrayRef<KernelRow> Rows) {
  std::vector<IntervalCase> Cases;
  for (const KernelRow &Row : Rows)
    if (const auto &I = Row.Case->Predicted->Predicted.Interval)
      Cases.push_back(
          {Row.Case->Truth.Id, *I, Row.TimeNs.Predicted, Row.TimeNs.Measured});
  return Cases;
}

static void printResults(const Results &All, raw_ostream &OS) {
  printKernels(All.Rows, OS);
  OS << "\ndeclined:\n";
  for (const CaseResult &C : All.Cases)
    if (!C.Declined.empty())
      OS << "  " << C.Truth.Id << ": " << C.Declined << '\n';
  if (!All.RecordNotes.empty())
    OS << "\nhost code that did not simply end:\n";
  for (const auto &[Program, Note] : All.RecordNotes)
    OS << "  " << Program << ": " << Note << '\n';
  OS << "\nlines that differ:\n";
  printLineMisses(All.Lines, OS);
  OS << "\nfindings that are not right, and misses:\n";
  printFindingMisses(All.Findings, OS);
  forEachSet(All, [&](StringRef Title, StringRef, ArrayRef<KernelRow> Rows,
                      ArrayRef<LineRow> Lines, ArrayRef<FindingRow> Findings,
                      unsigned NumDeclined) {
    OS << '\n';
    printSummary(Title, summarizeKernels(Rows, NumDeclined), OS);
    if (auto Ran = reached(Rows); !Ran.empty())
      printSummary((Title + ", launches that programs came to").str(),
                   summarizeKernels(Ran, 0), OS);
    printCoverage(Title, intervalsOf(Rows), OS);
    printSummary(Title, Lines, OS);
    printSummary(Title, Findings, OS);
    printViewSummaries(Title, Rows, All.CodeRows, OS);
  });
  printViews(All.Rows, All.CodeRows, OS);
}

static void writeResults(const Results &All, raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attributeArray("kernels", [&] { writeKernels(All.Rows, J); });
    J.attributeObject("declined", [&] {
      for (const CaseResult &C : All.Cases)
        if (!C.Declined.empty())
          J.attribute(C.Truth.Id, C.Declined);
    });
    J.attributeObject("host_code", [&] {
      for (const auto &[Program, Note] : All.RecordNotes)
        J.attribute(Program, Note);
    });
    J.attributeArray("machine_code", [&] { writeKernels(All.CodeRows, J); });
    J.attributeArray("lines", [&] { writeLines(All.Lines, J); });
    J.attributeObject("summary", [&] {
      forEachSet(All, [&](StringRef, StringRef Key, ArrayRef<KernelRow> Rows,
                          ArrayRef<LineRow> Lines,
                          ArrayRef<FindingRow> Findings, unsigned NumDeclined) {
        J.attributeObject(Key, [&] {
          writeSummary(summarizeKernels(Rows, NumDeclined), J);
          if (auto Ran = reached(Rows); !Ran.empty())
            J.attributeObject(
                "reached", [&] { writeSummary(summarizeKernels(Ran, 0), J); });
          J.attributeArray("intervals",
                           [&] { writeCoverage(intervalsOf(Rows), J); });
          J.attributeObject("lines", [&] { writeSummary(Lines, J); });
          J.attributeObject("findings", [&] { writeSummary(Findings, J); });
        });
      });
    });
  });
  OS << '\n';
}

Error gpuocc::runKernels(ArrayRef<StringRef> Arguments) {
  KernelsOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, KernelsUsage, Options.rows());
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  if (!Parsed->Positional.empty())
    return createStringError("kernels takes no '" + Parsed->Positional.front() +
                             "'");
  Options.Source.ClangArguments = Parsed->Rest;
  Expected<std::vector<TruthCase>> Cases = chosenCases(Options);
  if (!Cases)
    return Cases.takeError();
  Expected<Results> All = predictAll(std::move(*Cases), Options);
  if (!All)
    return All.takeError();
  if (Options.Format == "json")
    writeResults(*All, outs());
  else
    printResults(*All, outs());
  return Error::success();
}
