//===- PairsCommand.cpp - gpu-occupancy-accuracy pairs --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "PairGains.h"
#include "RecordTable.h"
#include "gpuocc/Report/RuleNames.h"
#include "sources/AssessFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral PairsUsage =
    "usage: gpu-occupancy-accuracy pairs [options]\n"
    "\n"
    "Predicted gains of mended findings beside measured ones: kernels with one "
    "finding\n"
    "and the same kernels with it mended.\n";

/// What a table of pairs must have. Rules: names, separated by blanks. Compare:
/// "no" where the kernels differ in what their data holds only.
static constexpr StringRef PairColumns[] = {"pair",     "rules",   "file",
                                            "naive",    "fixed",   "compare",
                                            "naive_ns", "fixed_ns"};

namespace {

struct PairsOptions {
  std::string Table, Root = GPUOCC_SOURCE_DIR, Format = "text";
  AssessFileOptions Files;

  std::vector<OptionRow> rows() {
    return {
        {"--data", "FILE",
         "measured pairs; by default test/golden/pairs/DEVICE.csv",
         store(Table)},
        {"--sources", "DIR", "what files of the table are relative to",
         store(Root)},
        {"--device", "NAME", "device of the measurements",
         store(Files.Session.Device)},
        {"--clang", "PROGRAM", "compiler", store(Files.Source.Clang)},
        {"--ptxas", "auto|off|FILE", "assembler that is asked for registers",
         store(Files.Source.Ptxas)},
        {"--view", "auto|mir|sass", "code that is priced",
         storeWord(Files.Source.View, {"auto", "mir", "sass"})},
        {"--format", "text|json", "form of the table",
         storeWord(Format, {"text", "json"})},
    };
  }
};

/// Reports by file, each assessed once.
class Reports {
public:
  explicit Reports(const PairsOptions &Options) : Options(Options) {}

  /// The kernel called \p Name, without its parameters, in \p File. When it is
  /// launched more than once, its first launch.
  Expected<const KernelReport *> find(StringRef File, StringRef Name) {
    auto [At, IsNew] = Files.try_emplace(File.str());
    if (IsNew) {
      SmallString<128> Path(Options.Root);
      sys::path::append(Path, File);
      Expected<Report> R = assessFile(Path, Options.Files);
      if (!R)
        return R.takeError();
      At->second = std::move(*R);
    }
    for (const KernelReport &K : At->second.Kernels) {
      StringRef Demangled = K.Facts.Demangled;
      Demangled.consume_front("void ");
      if (Demangled.split('(').first == Name)
        return &K;
    }
    return createStringError("'" + File + "' has no kernel '" + Name + "'");
  }

private:
  const PairsOptions &Options;
  std::map<std::string, Report> Files;
};

} // namespace

static Expected<std::vector<RuleId>> parseRules(StringRef Names) {
  std::vector<RuleId> Rules;
  for (StringRef Name : split(Names, ' ')) {
    if (Name.empty())
      continue;
    Expected<RuleId> Rule = findRule(Name);
    if (!Rule)
      return Rule.takeError();
    Rules.push_back(*Rule);
  }
  return Rules;
}

static Expected<PairGain> judge(const RecordTable &T, size_t Row,
                                Reports &Found) {
  PairGain P;
  P.Name = T.text(Row, "pair").str();
  Expected<double> NaiveNs = T.number(Row, "naive_ns");
  if (!NaiveNs)
    return NaiveNs.takeError();
  Expected<double> FixedNs = T.number(Row, "fixed_ns");
  if (!FixedNs)
    return FixedNs.takeError();
  P.Measured = *NaiveNs / *FixedNs;
  Expected<std::vector<RuleId>> Rules = parseRules(T.text(Row, "rules"));
  if (!Rules)
    return Rules.takeError();
  StringRef File = T.text(Row, "file");
  Expected<const KernelReport *> Naive = Found.find(File, T.text(Row, "naive"));
  if (!Naive)
    return Naive.takeError();
  P.OfFindings = gainOfFindings(**Naive, *Rules);
  // A rule that is silent promises nothing.
  if (!Rules->empty() && !P.OfFindings)
    P.OfFindings = 1;
  if (T.text(Row, "compare") == "no")
    return P;
  Expected<const KernelReport *> Fixed = Found.find(File, T.text(Row, "fixed"));
  if (!Fixed)
    return Fixed.takeError();
  const Known<TimeEstimate> &Before = (*Naive)->Predicted.Time;
  const Known<TimeEstimate> &After = (*Fixed)->Predicted.Time;
  if (!Before || !After)
    return createStringError("'" + File + "': the launches of '" + P.Name +
                             "' are not known");
  P.OfTimes = Before->Ns / After->Ns;
  return P;
}

Error gpuocc::runPairs(ArrayRef<StringRef> Arguments) {
  PairsOptions Options;
  Options.Files.Session.Device = "nvidia-h200";
  // What the programs of the table were built by.
  Options.Files.Source.BuiltBy = "clang";
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, PairsUsage, Options.rows());
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  if (!Parsed->Positional.empty())
    return createStringError("pairs takes no '" + Parsed->Positional.front() +
                             "'");
  if (Options.Table.empty())
    Options.Table = GPUOCC_SOURCE_DIR "/test/golden/pairs/" +
                    Options.Files.Session.Device + ".csv";
  Options.Files.Source.ClangArguments = Parsed->Rest;
  Options.Files.Source.ClangArguments.push_back("-w");
  Expected<RecordTable> Table = readRecordTable(Options.Table, PairColumns);
  if (!Table)
    return Table.takeError();
  Reports Found(Options);
  std::vector<PairGain> Pairs;
  for (size_t Row = 0; Row != Table->Rows.size(); ++Row) {
    Expected<PairGain> P = judge(*Table, Row, Found);
    if (!P)
      return P.takeError();
    Pairs.push_back(std::move(*P));
  }
  if (Options.Format == "text") {
    printPairGains(Pairs, outs());
    return Error::success();
  }
  json::OStream J(outs(), /*IndentSize=*/1);
  writePairGains(Pairs, J);
  outs() << '\n';
  return Error::success();
}
