//===- AlphaCommand.cpp - gpu-occupancy-accuracy alpha --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "MixModels.h"
#include "NewestResults.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
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
  bool Points = false;
  bool Help = false;
};

/// How far a model is off, over the points of a grid.
struct ErrorRange {
  double Over = 0, Under = 0;
  const MixPoint *OverAt = nullptr, *UnderAt = nullptr;
  double SumOfSquaredLogs = 0;
  unsigned NumPoints = 0;

  void add(double Predicted, const MixPoint &P) {
    double Ratio = Predicted / P.PerCycleSm;
    if (!OverAt || Ratio > Over)
      Over = Ratio, OverAt = &P;
    if (!UnderAt || Ratio < Under)
      Under = Ratio, UnderAt = &P;
    // A throughput of zero or less is off without bound.
    SumOfSquaredLogs += Ratio > 0 ? std::pow(std::log(Ratio), 2) : INFINITY;
    ++NumPoints;
  }

  double typical() const {
    return std::exp(std::sqrt(SumOfSquaredLogs / NumPoints));
  }
};

} // namespace

static Expected<AlphaOptions> parseOptions(ArrayRef<StringRef> Arguments) {
  AlphaOptions O;
  for (size_t I = 0; I != Arguments.size(); ++I) {
    StringRef A = Arguments[I];
    if (A == "--help") {
      O.Help = true;
      return O;
    }
    if (A == "--points") {
      O.Points = true;
      continue;
    }
    std::string *Value = A == "--data"     ? &O.Folder
                         : A == "--device" ? &O.Device
                                           : nullptr;
    if (!Value)
      return createStringError("alpha: unknown argument '" + A +
                               "'; see 'gpu-occupancy-accuracy alpha --help'");
    if (++I == Arguments.size())
      return createStringError("alpha: " + A + " needs a value");
    *Value = Arguments[I].str();
  }
  return O;
}

static void printUsage(raw_ostream &OS) {
  OS << "usage: gpu-occupancy-accuracy alpha [--data DIR] [--device NAME] "
        "[--points]\n\n"
        "Models beside measured throughput over arithmetic intensity and "
        "occupancy.\n\n"
        "  --data DIR     folder with alpha-*.json; by default the newest of "
        "calibration/results/DEVICE\n"
        "  --device NAME  device database, by default nvidia-h200\n"
        "  --points       also the ratio of our refined model at every point\n";
}

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

static void printErrors(const MixGrid &Grid, unsigned Ilp,
                        ArrayRef<MixCase> Cases,
                        MutableArrayRef<ErrorRange> Worst, raw_ostream &OS) {
  OS << formatv("\n{0}, {1} {2} per warp\n", Grid.Title, Ilp,
                Ilp == 1 ? "chain" : "chains");
  OS << formatv("  {0,-24} {1,9} {2,-24} {3,9} {4,-24} {5,8}\n", "model",
                "highest", "at", "lowest", "at", "typical");
  for (auto [Model, Total] : zip(mixModels(), Worst)) {
    ErrorRange Range;
    for (const MixCase &Case : Cases)
      for (const MixPoint &P : Grid.Points)
        if (P.Ilp == Ilp && P.Alpha == Case.Spec.Alpha) {
          double X = Model.Throughput(Case, P.Warps);
          Range.add(X, P);
          Total.add(X, P);
        }
    OS << formatv("  {0,-24} {1,9} {2,-24} {3,9} {4,-24} {5,8:f3}\n",
                  Model.Name, ratio(Range.Over), place(*Range.OverAt),
                  ratio(Range.Under), place(*Range.UnderAt), Range.typical());
  }
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

static Error runGrid(const MixGrid &Grid, const DeviceModel &Device,
                     const AlphaOptions &Options,
                     MutableArrayRef<ErrorRange> Worst, raw_ostream &OS) {
  unsigned MostWarps = 0;
  std::set<unsigned> Ilps;
  for (const MixPoint &P : Grid.Points) {
    Ilps.insert(P.Ilp);
    MostWarps = std::max(MostWarps, P.Warps);
  }
  for (unsigned Ilp : Ilps) {
    std::vector<MixCase> Cases;
    for (unsigned Alpha : alphasOf(Grid, Ilp)) {
      Expected<MixCase> Case = mixCase({Grid.Kind, Alpha, Ilp}, Device, Grid);
      if (!Case)
        return Case.takeError();
      Cases.push_back(std::move(*Case));
    }
    printErrors(Grid, Ilp, Cases, Worst, OS);
    if (Options.Points)
      printPoints(Grid, Ilp, Cases, OS);
    printNeeded(neededRows(Grid, Ilp, Cases, MostWarps), MostWarps, OS);
  }
  return Error::success();
}

Error gpuocc::runAlpha(ArrayRef<StringRef> Arguments) {
  Expected<AlphaOptions> Options = parseOptions(Arguments);
  if (!Options)
    return Options.takeError();
  raw_ostream &OS = outs();
  if (Options->Help) {
    printUsage(OS);
    return Error::success();
  }
  Expected<DeviceModel> Device = loadDevice(Options->Device);
  if (!Device)
    return Device.takeError();
  if (Options->Folder.empty()) {
    Expected<std::string> Newest = newestResults(Device->Name);
    if (!Newest)
      return Newest.takeError();
    Options->Folder = *Newest;
  }
  Expected<std::vector<MixGrid>> Grids = readMixGrids(Options->Folder);
  if (!Grids)
    return Grids.takeError();

  OS << "Predicted over measured throughput of " << Device->DisplayName
     << ": 1.00 is right, above is too high.\n";
  std::vector<ErrorRange> Worst(mixModels().size());
  for (const MixGrid &Grid : *Grids)
    if (Error E = runGrid(Grid, *Device, *Options, Worst, OS))
      return E;
  OS << "\nAll grids\n";
  for (auto [Model, Range] : zip(mixModels(), Worst))
    OS << formatv("  {0,-24} {1,9} {2,9}  typical {3:f3}\n", Model.Name,
                  ratio(Range.Over), ratio(Range.Under), Range.typical());
  OS << "targets of this project: within 1.10 times (refined), 1.25 times "
        "(basic)\n";
  return Error::success();
}
