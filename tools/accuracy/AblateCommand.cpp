//===- AblateCommand.cpp - gpu-occupancy-accuracy ablate ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AblationSet.h"
#include "Commands.h"
#include "driver/Arguments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral AblateUsage =
    "usage: gpu-occupancy-accuracy ablate [options]\n"
    "\n"
    "What recorded sets lose without each mechanism of the model, each prior "
    "and each\n"
    "imitation of ptxas or nvcc.\n";

namespace {

struct AblateOptions {
  std::vector<std::string> Sets, Names;
  std::string Format = "text";
  CaseSetOptions Cases;

  AblateOptions() { Cases.Device = "nvidia-h200"; }

  std::vector<OptionRow> rows() {
    return {
        {"--set", "NAME",
         "alpha, streams, examples, pairs, or kernels (with --truth); may be "
         "repeated; by default all but the last",
         append(Sets)},
        {"--mechanism", "NAME",
         "mechanism to leave out; may be repeated; by default each",
         append(Names)},
        {"--truth", "DIR", "kernels: folder of measurements",
         store(Cases.Truth)},
        {"--sources", "DIR", "kernels: folder of the programs",
         store(Cases.Sources)},
        {"--launches", "DIR", "kernels: scalar arguments, DIR/SUITE.yaml",
         store(Cases.Launches)},
        {"--facts", "DIR",
         "kernels: keep facts and recorded launches there and use them",
         store(Cases.Facts)},
        {"--record", "on|off",
         "kernels: run the host code of programs for arguments and data",
         storeWord(Cases.Record, {"on", "off"})},
        {"--only", "REGEX", "kernels: cases whose id matches",
         store(Cases.Only)},
        {"--code", "nvcc|clang",
         "kernels: compiler whose code is read of programs that nvcc builds",
         storeWord(Cases.Code, {"nvcc", "clang"})},
        {"--device", "NAME", "device of the measurements", store(Cases.Device)},
        {"--format", "text|json", "form of the table",
         storeWord(Format, {"text", "json"})},
    };
  }
};

struct NamedSet {
  std::string Name;
  std::unique_ptr<AblationSet> Set;
};

/// One mechanism left out of all sets.
struct AblationRow {
  std::optional<Mechanism> Without;
  std::vector<AblationFigures> OfSet;

  StringRef name() const {
    return Without ? StringRef(mechanismInfo(*Without).Key) : "(all)";
  }
};

} // namespace

static Expected<std::unique_ptr<AblationSet>>
createAblationSet(StringRef Name, const CaseSetOptions &Cases) {
  if (Name == "alpha")
    return createAlphaSet(Cases.Device);
  if (Name == "streams")
    return createStreamSet(Cases.Device);
  if (Name == "examples")
    return createExampleSet(Cases.Device);
  if (Name == "pairs")
    return createPairSet(Cases.Device);
  if (Name != "kernels")
    return createStringError("there is no set '" + Name + "'");
  if (Cases.Truth.empty() || Cases.Sources.empty())
    return createStringError("the set 'kernels' needs --truth and --sources");
  return createCaseSet(Cases);
}

static Expected<std::vector<NamedSet>> createSets(AblateOptions &Options) {
  if (Options.Sets.empty())
    Options.Sets = {"alpha", "streams", "examples", "pairs"};
  std::vector<NamedSet> Sets;
  for (const std::string &Name : Options.Sets) {
    Expected<std::unique_ptr<AblationSet>> Set =
        createAblationSet(Name, Options.Cases);
    if (!Set)
      return Set.takeError();
    Sets.push_back({Name, std::move(*Set)});
  }
  return std::move(Sets);
}

static Expected<std::vector<std::optional<Mechanism>>>
chosen(ArrayRef<std::string> Names) {
  std::vector<std::optional<Mechanism>> Without = {std::nullopt};
  if (Names.empty())
    for (unsigned M = 0; M != NumMechanisms; ++M)
      Without.push_back(Mechanism(M));
  for (const std::string &Name : Names) {
    Expected<Mechanism> M = parseMechanism(Name);
    if (!M)
      return M.takeError();
    Without.push_back(*M);
  }
  return std::move(Without);
}

/// What \p Value is written with: "{0:f3}", ...
static std::string cell(std::optional<double> Value, const char *Form) {
  return Value ? formatv(Form, *Value).str() : "-";
}

static void printHead(ArrayRef<NamedSet> Sets, raw_ostream &OS) {
  OS << "Times off in the geometric mean (1 is right) and of the worst launch, "
        "percentage of instructions in another group, and launches whose "
        "limiter agrees, without one mechanism each.\n\n";
  OS << formatv("{0,-20}", "without");
  for (const NamedSet &S : Sets)
    OS << formatv(" | {0,-38}", S.Name);
  OS << formatv("\n{0,-20}", "");
  for ([[maybe_unused]] const NamedSet &S : Sets)
    OS << formatv(" | {0,7} {1,7} {2,7} {3,6} {4,7}", "time", "worst", "instr.",
                  "mix", "limit.");
  OS << '\n';
}

static void printRow(const AblationRow &Row, raw_ostream &OS) {
  OS << formatv("{0,-20}", Row.name());
  for (const AblationFigures &F : Row.OfSet)
    OS << formatv(" | {0,7} {1,7} {2,7} {3,6} {4,7}", cell(F.time(), "{0:f3}"),
                  cell(F.worstTime(), "{0:f3}"),
                  cell(F.instructions(), "{0:f3}"), cell(F.mix(), "{0:P2}"),
                  cell(F.limiter(), "{0:P1}"));
  OS << '\n';
  OS.flush();
}

static void writeRow(const AblationRow &Row, ArrayRef<NamedSet> Sets,
                     json::OStream &J) {
  J.object([&] {
    if (Row.Without) {
      const MechanismInfo &Info = mechanismInfo(*Row.Without);
      J.attribute("without", Info.Key);
      J.attribute("kind", mechanismKindKey(Info.Kind));
      J.attribute("meaning", Info.Description);
    }
    for (const auto &[S, F] : zip_equal(Sets, Row.OfSet))
      J.attributeObject(S.Name, [&] {
        J.attribute("launches", F.TimesOff.size());
        J.attribute("time_times_off", F.time());
        J.attribute("worst_time_times_off", F.worstTime());
        J.attribute("instructions_times_off", F.instructions());
        J.attribute("mix_distance", F.mix());
        J.attribute("limiter_agreement", F.limiter());
      });
  });
}

static Expected<AblationRow> predictRow(std::optional<Mechanism> Without,
                                        ArrayRef<NamedSet> Sets) {
  AblationRow Row = {Without, {}};
  for (const NamedSet &S : Sets) {
    Expected<AblationFigures> Figures = S.Set->predict({Without});
    if (!Figures)
      return createStringError("without '" + Row.name() +
                               "': " + toString(Figures.takeError()));
    Row.OfSet.push_back(std::move(*Figures));
  }
  return std::move(Row);
}

Error gpuocc::runAblate(ArrayRef<StringRef> Arguments) {
  AblateOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, AblateUsage, Options.rows());
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  if (!Parsed->Positional.empty())
    return createStringError("ablate takes no '" + Parsed->Positional.front() +
                             "'");
  Expected<std::vector<std::optional<Mechanism>>> Left = chosen(Options.Names);
  if (!Left)
    return Left.takeError();
  Expected<std::vector<NamedSet>> Sets = createSets(Options);
  if (!Sets)
    return Sets.takeError();
  const bool AsText = Options.Format == "text";
  if (AsText)
    printHead(*Sets, outs());
  std::vector<AblationRow> Rows;
  for (std::optional<Mechanism> Without : *Left) {
    Expected<AblationRow> Row = predictRow(Without, *Sets);
    if (!Row)
      return Row.takeError();
    // Runs are long: each row is shown when it is there.
    if (AsText)
      printRow(*Row, outs());
    Rows.push_back(std::move(*Row));
  }
  if (AsText)
    return Error::success();
  json::OStream J(outs(), /*IndentSize=*/1);
  J.array([&] {
    for (const AblationRow &Row : Rows)
      writeRow(Row, *Sets, J);
  });
  outs() << '\n';
  return Error::success();
}
