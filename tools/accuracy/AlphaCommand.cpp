//===- AlphaCommand.cpp - gpu-occupancy-accuracy alpha --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "MixModels.h"
#include "NewestResults.h"
#include "driver/Arguments.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {

struct AlphaOptions {
  std::string Folder;
  std::string Device = "nvidia-h200";
  std::string Format = "text";
  bool Points = false;

  std::vector<OptionRow> rows() {
    return {
        {"--data", "DIR",
         "folder with alpha-*.json; by default the newest of "
         "calibration/results/DEVICE",
         store(Folder)},
        {"--device", "NAME", "device database", store(Device)},
        {"--points", "",
         "text: also the ratio of our refined model at every point",
         [this](StringRef) {
           Points = true;
           return Error::success();
         }},
        {"--format", "text|json", "form of the tables",
         storeWord(Format, {"text", "json"})},
    };
  }
};

/// How far a model is off, over the points of a grid.
struct ErrorRange {
  double Over = 0, Under = 0;
  const MixPoint *OverAt = nullptr, *UnderAt = nullptr;
  double SumOfSquaredLogs = 0;
  unsigned NumPoints = 0;

  void add(double Predicted, const MixPoint &P) {
    double Ratio = Predicted / P.PerCycleSm;
    // A throughput of zero or less is off without bound.
    add(Ratio, P, Ratio > 0 ? std::pow(std::log(Ratio), 2) : INFINITY, 1);
  }

  void add(const ErrorRange &Other) {
    if (!Other.OverAt)
      return;
    add(Other.Over, *Other.OverAt, Other.SumOfSquaredLogs, Other.NumPoints);
    add(Other.Under, *Other.UnderAt, 0, 0);
  }

  double typical() const {
    return std::exp(std::sqrt(SumOfSquaredLogs / NumPoints));
  }

private:
  void add(double Ratio, const MixPoint &P, double SquaredLogs,
           unsigned Points) {
    if (!OverAt || Ratio > Over)
      Over = Ratio, OverAt = &P;
    if (!UnderAt || Ratio < Under)
      Under = Ratio, UnderAt = &P;
    SumOfSquaredLogs += SquaredLogs;
    NumPoints += Points;
  }
};

} // namespace

static constexpr StringLiteral AlphaUsage =
    "usage: gpu-occupancy-accuracy alpha [options]\n"
    "\n"
    "Models beside measured throughput over arithmetic intensity and "
    "occupancy.\n";

static std::string place(const MixPoint &P) {
  return formatv("alpha {0}, {1} warps", P.Alpha, P.Warps).str();
}

static std::string ratio(double R) {
  if (R <= 0)
    return "negative";
  return formatv("{0:f2}", R).str();
}

static std::vector<unsigned> alphasOf(const MixGrid &Grid, unsigned Ilp) {
  std::set<unsigned> Alphas;
  for (const MixPoint &P : Grid.Points)
    if (P.Ilp == Ilp)
      Alphas.insert(P.Alpha);
  return {Alphas.begin(), Alphas.end()};
}

namespace {
/// The cases of one grid with a number of chains.
struct GridPart {
  const MixGrid *Grid = nullptr;
  unsigned Ilp = 1;
  std::vector<MixCase> Cases;
  /// Of each model.
  std::vector<ErrorRange> Errors;
};
} // namespace

static std::vector<ErrorRange> errorsOf(const GridPart &Part) {
  std::vector<ErrorRange> Errors(mixModels().size());
  for (auto [Model, Range] : zip(mixModels(), Errors))
    for (const MixCase &Case : Part.Cases)
      for (const MixPoint &P : Part.Grid->Points)
        if (P.Ilp == Part.Ilp && P.Alpha == Case.Spec.Alpha)
          Range.add(Model.Throughput(Case, P.Warps), P);
  return Errors;
}

static void printErrors(const GridPart &Part, raw_ostream &OS) {
  OS << formatv("\n{0}, {1} {2} per warp\n", Part.Grid->Title, Part.Ilp,
                Part.Ilp == 1 ? "chain" : "chains");
  OS << formatv("  {0,-24} {1,9} {2,-24} {3,9} {4,-24} {5,8}\n", "model",
                "highest", "at", "lowest", "at", "typical");
  for (auto [Model, Range] : zip(mixModels(), Part.Errors))
    OS << formatv("  {0,-24} {1,9} {2,-24} {3,9} {4,-24} {5,8:f3}\n",
                  Model.Name, ratio(Range.Over), place(*Range.OverAt),
                  ratio(Range.Under), place(*Range.UnderAt), Range.typical());
}

static void printPoints(const MixGrid &Grid, unsigned Ilp,
                        ArrayRef<MixCase> Cases, raw_ostream &OS) {
  OS << "  refined over measured; rows: alpha, columns: warps\n";
  for (const MixCase &Case : Cases) {
    OS << formatv("  {0,5}", Case.Spec.Alpha);
    for (const MixPoint &P : Grid.Points)
      if (P.Ilp == Ilp && P.Alpha == Case.Spec.Alpha)
        OS << formatv(" {0:f2}",
                      mixModels()[0].Throughput(Case, P.Warps) / P.PerCycleSm);
    OS << '\n';
  }
}

/// Fewest warps, in steps of \p Step up to \p Most, that reach 90 % of
/// \p Bound; 0 if none does.
template <typename Function>
static unsigned neededWarps(double Bound, unsigned Step, unsigned Most,
                            Function Throughput) {
  for (unsigned Warps = Step; Warps <= Most; Warps += Step)
    if (Throughput(Warps) >= 0.9 * Bound)
      return Warps;
  return 0;
}

namespace {
/// One column of the cusp plot.
struct NeededRow {
  unsigned Alpha = 0;
  unsigned Measured = 0;
  std::vector<unsigned> Models;
};
} // namespace

static std::vector<NeededRow> neededRows(const MixGrid &Grid, unsigned Ilp,
                                         ArrayRef<MixCase> Cases,
                                         unsigned MostWarps) {
  std::vector<NeededRow> Rows;
  for (const MixCase &Case : Cases) {
    NeededRow Row;
    Row.Alpha = Case.Spec.Alpha;
    AlphaMix Peaks = Case.Closed;
    Peaks.MemPerCycle = Grid.peak(0);
    Row.Measured = neededWarps(
        volkov::throughputBound(Peaks), 4, MostWarps, [&](unsigned Warps) {
          const MixPoint *P = Grid.find(Ilp, Row.Alpha, Warps);
          return P ? P->PerCycleSm : 0;
        });
    for (const MixModel &Model : mixModels())
      Row.Models.push_back(
          neededWarps(mixBound(Case), 1, MostWarps, [&](unsigned Warps) {
            return Model.Throughput(Case, Warps);
          }));
    Rows.push_back(std::move(Row));
  }
  return Rows;
}

static std::string warpsText(unsigned Warps) {
  return Warps ? std::to_string(Warps) : "-";
}

static void printNeeded(ArrayRef<NeededRow> Rows, unsigned MostWarps,
                        raw_ostream &OS) {
  OS << "  warps that reach 90 % of a peak ('-': none does)\n";
  OS << formatv("  {0,-24}", "alpha");
  for (const NeededRow &Row : Rows)
    OS << formatv("{0,4}", Row.Alpha);
  OS << formatv("\n  {0,-24}", "measured");
  for (const NeededRow &Row : Rows)
    OS << formatv("{0,4}", warpsText(Row.Measured));
  for (auto [I, Model] : enumerate(mixModels())) {
    OS << formatv("\n  {0,-24}", Model.Name);
    for (const NeededRow &Row : Rows)
      OS << formatv("{0,4}", warpsText(Row.Models[I]));
  }
  OS << "\n\n  o measured, r refined, * both\n";
  for (unsigned Warps = MostWarps; Warps; Warps -= 4) {
    OS << formatv("  {0,22} |", Warps);
    for (const NeededRow &Row : Rows) {
      auto IsHere = [&](unsigned Needed) {
        return Needed + 4 > Warps && Needed <= Warps && Needed;
      };
      bool Measured = IsHere(Row.Measured), Refined = IsHere(Row.Models[0]);
      OS << formatv("{0,4}", Measured && Refined ? "*"
                             : Measured          ? "o"
                             : Refined           ? "r"
                                                 : "");
    }
    OS << '\n';
  }
  OS << formatv("  {0,22} +", "warps / alpha");
  for (const NeededRow &Row : Rows)
    OS << formatv("{0,4}", Row.Alpha);
  OS << '\n';
}

/// The parts of \p Grid by the number of chains.
static Error addParts(const MixGrid &Grid, const DeviceModel &Device,
                      std::vector<GridPart> &Parts) {
  std::set<unsigned> Ilps;
  for (const MixPoint &P : Grid.Points)
    Ilps.insert(P.Ilp);
  for (unsigned Ilp : Ilps) {
    GridPart Part = {&Grid, Ilp, {}, {}};
    for (unsigned Alpha : alphasOf(Grid, Ilp)) {
      Expected<MixCase> Case = mixCase({Grid.Kind, Alpha, Ilp}, Device, Grid);
      if (!Case)
        return Case.takeError();
      Part.Cases.push_back(std::move(*Case));
    }
    Part.Errors = errorsOf(Part);
    Parts.push_back(std::move(Part));
  }
  return Error::success();
}

static unsigned mostWarps(const MixGrid &Grid) {
  unsigned Most = 0;
  for (const MixPoint &P : Grid.Points)
    Most = std::max(Most, P.Warps);
  return Most;
}

static void print(ArrayRef<GridPart> Parts, ArrayRef<ErrorRange> Total,
                  const DeviceModel &Device, bool WithPoints, raw_ostream &OS) {
  OS << "Predicted over measured throughput of " << Device.DisplayName
     << ": 1.00 is right, above is too high.\n";
  for (const GridPart &Part : Parts) {
    printErrors(Part, OS);
    if (WithPoints)
      printPoints(*Part.Grid, Part.Ilp, Part.Cases, OS);
    const unsigned Most = mostWarps(*Part.Grid);
    printNeeded(neededRows(*Part.Grid, Part.Ilp, Part.Cases, Most), Most, OS);
  }
  OS << "\nAll grids\n";
  for (auto [Model, Range] : zip(mixModels(), Total))
    OS << formatv("  {0,-24} {1,9} {2,9}  typical {3:f3}\n", Model.Name,
                  ratio(Range.Over), ratio(Range.Under), Range.typical());
  OS << "targets of this project: within 1.10 times (refined), 1.25 times "
        "(basic)\n";
}

/// Predicted over measured by model; null where a prediction is no throughput.
static void writeErrors(ArrayRef<ErrorRange> Errors, json::OStream &J) {
  auto Finite = [](double Value) -> json::Value {
    return std::isfinite(Value) ? json::Value(Value) : nullptr;
  };
  J.attributeArray("models", [&] {
    for (auto [Model, Range] : zip(mixModels(), Errors))
      J.object([&] {
        J.attribute("model", Model.Name);
        J.attribute("highest", Finite(Range.Over));
        J.attribute("lowest", Finite(Range.Under));
        J.attribute("typical", Finite(Range.typical()));
        J.attribute("points", Range.NumPoints);
      });
  });
}

static void write(ArrayRef<GridPart> Parts, ArrayRef<ErrorRange> Total,
                  raw_ostream &OS) {
  json::OStream J(OS, /*IndentSize=*/1);
  J.object([&] {
    J.attributeArray("grids", [&] {
      for (const GridPart &Part : Parts)
        J.object([&] {
          J.attribute("grid", Part.Grid->Title);
          J.attribute("chains", Part.Ilp);
          writeErrors(Part.Errors, J);
        });
    });
    J.attributeObject("summary", [&] { writeErrors(Total, J); });
  });
  OS << '\n';
}

Error gpuocc::runAlpha(ArrayRef<StringRef> Arguments) {
  AlphaOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, AlphaUsage, Options.rows());
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  if (!Parsed->Positional.empty())
    return createStringError("alpha takes no '" + Parsed->Positional.front() +
                             "'");
  Expected<DeviceModel> Device = loadDevice(Options.Device);
  if (!Device)
    return Device.takeError();
  if (Options.Folder.empty()) {
    Expected<std::string> Newest = newestResults(Device->Name);
    if (!Newest)
      return Newest.takeError();
    Options.Folder = *Newest;
  }
  Expected<std::vector<MixGrid>> Grids = readMixGrids(Options.Folder);
  if (!Grids)
    return Grids.takeError();

  std::vector<GridPart> Parts;
  for (const MixGrid &Grid : *Grids)
    if (Error E = addParts(Grid, *Device, Parts))
      return E;
  std::vector<ErrorRange> Total(mixModels().size());
  for (const GridPart &Part : Parts)
    for (auto [Sum, Range] : zip(Total, Part.Errors))
      Sum.add(Range);
  if (Options.Format == "text")
    print(Parts, Total, *Device, Options.Points, outs());
  else
    write(Parts, Total, outs());
  return Error::success();
}
