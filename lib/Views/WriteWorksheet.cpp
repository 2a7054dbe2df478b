//===- WriteWorksheet.cpp - How the numbers come about --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteWorksheet.h"
#include "Plot.h"
#include "Table.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/LaunchesToGive.h"
#include "gpuocc/Views/WriteParallelism.h"
#include "gpuocc/Views/WriteRoofline.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <utility>

using namespace gpuocc;
using namespace llvm;

static void writeBounds(const Prediction &P, raw_ostream &OS) {
  OS << "\nthroughput bounds: SM cycles per warp for which a resource is in "
        "exclusive use\n";
  Table T({"resource", "cycles", "use", "count", "cycles each"}, {1, 3, 4});
  for (const Bound &B : P.Bounds) {
    T.add(
        {resourceKey(B.What).str(), formatNumber(B.CyclesPerWarp), "", "", ""});
    for (const BoundTerm &Term : B.Terms)
      T.add({"", formatNumber(Term.cycles()), Term.What,
             formatNumber(Term.CountPerWarp), formatNumber(Term.CyclesEach)});
  }
  T.print(OS);
}

static void writePath(const KernelReport &K, raw_ostream &OS) {
  const LatencyBound &L = K.Predicted.Latency;
  OS << "\nlatency bound: one warp takes "
     << formatCount(L.CyclesPerWarp, "cycle")
     << " from its first issue to that of its successor ("
     << formatNumber(L.BarrierCycles) << " at barriers, "
     << formatNumber(L.ReplacementCycles) << " replacing the block)\n";
  Table T({"issued at", "adds", "operation", "line", "why"}, {0, 1});
  for (const LatencyStep &Step : L.Path) {
    std::string Opcode, Place;
    if (Step.Op < K.Facts.Operations.size()) {
      const Operation &O = K.Facts.Operations[Step.Op];
      Opcode = O.Opcode;
      if (O.Location < K.Facts.Locations.size())
        Place = formatPlace(placeToShow(K.Facts.Locations[O.Location]));
    }
    T.add({formatNumber(Step.IssueCycle), formatNumber(Step.CyclesTotal),
           Opcode, Place, Step.Why});
  }
  T.print(OS);
}

/// "needed warps: 12 for 90 %, 14 for 95 %, 18 for 99 % of the bound".
static std::string neededText(const NeededWarps &Needed) {
  const std::pair<StringRef, double> Rows[] = {
      {"90 %", Needed.P90}, {"95 %", Needed.P95}, {"99 %", Needed.P99}};
  std::string Text = "needed warps:";
  StringRef Separator = " ";
  for (const auto &[Share, Warps] : Rows) {
    if (!std::isfinite(Warps)) {
      Text += (Separator + "no number of warps reaches " + Share).str();
      break;
    }
    Text += (Separator + formatWarps(Warps) + " for " + Share).str();
    Separator = ", ";
  }
  return Text + " of the bound";
}

/// Cycles of the largest throughput bound; 0 where there is none.
static double boundCycles(const Prediction &P) {
  double Most = 0;
  for (const Bound &B : P.Bounds)
    Most = std::max(Most, B.CyclesPerWarp);
  return Most;
}

static void drawCurve(const Prediction &P, unsigned Columns, raw_ostream &OS) {
  constexpr unsigned Rows = 14;
  const double Bound = boundCycles(P);
  Plot Drawing(Columns, Rows, {0, P.Curve.back().Warps, PlotScale::Linear},
               {0, 100, PlotScale::Linear});
  Drawing.horizontal(90, 0, '-');
  Drawing.vertical(P.Needed.P90, 'n');
  Drawing.vertical(P.WarpsPerSm, 'a');
  for (const CurvePoint &Point : P.Curve)
    Drawing.point(Point.Warps, 100 * Point.WarpsPerCycle * Bound, '*');
  Drawing.print("resident warps per SM", "  % of the bound", OS);
  OS << "  * throughput, - 90 % of the bound, n needed for it, a available\n";
}

/// Powers of two, what is needed and what is available, and the last point.
static void tabulateCurve(const Prediction &P, raw_ostream &OS) {
  Table T({"warps", "warps per cycle", "of the bound"}, {0, 1, 2});
  const double Bound = boundCycles(P);
  for (const CurvePoint &Point : P.Curve) {
    const auto Warps = uint64_t(Point.Warps);
    if (isPowerOf2_64(Warps) || Point.Warps == P.WarpsPerSm ||
        Point.Warps == std::ceil(P.Needed.P90) || &Point == &P.Curve.back())
      T.add({formatNumber(Point.Warps), formatNumber(Point.WarpsPerCycle),
             formatPercent(Point.WarpsPerCycle * Bound)});
  }
  T.print(OS);
}

static void writeCurve(const Prediction &P, unsigned Columns, raw_ostream &OS) {
  constexpr unsigned Narrowest = 40, Widest = 100;
  OS << "\nthroughput over resident warps per SM\n";
  if (Columns >= Narrowest && P.Curve.size() > 1)
    drawCurve(P, std::min(Columns, Widest), OS);
  tabulateCurve(P, OS);
  OS << neededText(P.Needed) << "; " << formatNumber(P.Needed.Linear)
     << " by latency x throughput (Little's law)\n";
}

static void writeMix(const Prediction &P, raw_ostream &OS) {
  OS << "\nwarp instructions per warp: " << formatNumber(P.InstructionsPerWarp)
     << '\n';
  Table T({"class", "count"}, {1});
  for (const ClassCount &C : P.Mix)
    T.add({instClassKey(C.Class).str(), formatNumber(C.PerWarp)});
  T.print(OS);
}

static void writeTime(const KernelReport &K, raw_ostream &OS) {
  const Prediction &P = K.Predicted;
  OS << "\noccupancy: " << formatCount(P.WarpsPerSm, "warp") << ", "
     << formatCount(P.BlocksPerSm, "block") << " per SM, limited by "
     << occupancyLimiterKey(P.Limiter) << "; "
     << formatCount(P.ActiveWarpsPerSm, "warp") << " active on average\n";
  if (P.Time)
    OS << "time: " << formatTime(P.Time->Ns) << " in "
       << formatCount(P.Time->Waves, "wave") << ", of it "
       << formatTime(P.Time->LaunchNs) << " launch and "
       << formatTime(P.Time->TailNs) << " partly filled end\n";
  else
    OS << "time: unknown, " << P.Time.reason() << '\n';
}

static void writeAssumptions(const KernelReport &K, raw_ostream &OS) {
  if (K.Profile.Assumptions.empty())
    return;
  OS << "\nassumptions\n";
  for (const Assumption &A : K.Profile.Assumptions) {
    OS << "  " << printable(A.What) << " = " << printable(A.Taken);
    if (!A.HowToSupply.empty())
      OS << "; " << printable(A.HowToSupply);
    OS << '\n';
    if (!A.GuessedBy.empty())
      OS << "    guessed by " << A.GuessedBy << ": " << printable(A.Evidence)
         << '\n';
  }
}

Error gpuocc::writeWorksheet(const KernelReport &K,
                             const WorksheetOptions &Options, raw_ostream &OS) {
  OS << printable(shortName(K.Facts.Demangled));
  if (std::string Place = formatPlace(K.Facts.Place); !Place.empty())
    OS << "  " << Place;
  OS << "\non " << printable(K.Device) << ", block "
     << formatDim(K.Launched.Block.Value) << " ("
     << printable(K.Launched.Block.Source.text()) << ")";
  if (K.Launched.Grid)
    OS << ", grid " << formatDim(K.Launched.Grid->Value) << " ("
       << printable(K.Launched.Grid->Source.text()) << ")";
  OS << ", " << formatCount(K.Facts.Resources.RegistersPerThread, "register")
     << " (" << printable(K.Facts.Resources.Source) << ")\n";
  if (isUndecided(K))
    OS << "no time: " << printable(K.Predicted.Time.reason())
       << "; what follows rests on the assumptions at the end\n";
  else
    OS << "bound by " << unitText(K.Predicted.Diagnosed.Unit) << ": "
       << printable(whyText(K.Predicted)) << '\n';
  writeMix(K.Predicted, OS);
  writeBounds(K.Predicted, OS);
  writePath(K, OS);
  writeParallelism(K, OS);
  writeCurve(K.Predicted, Options.Columns, OS);
  writeTime(K, OS);
  writeOccupancyRoofline(K, OS);
  writeRates(K.Achieved, OS);
  writeRoofline(K.OnRoofline, Options.Columns, OS);
  writeAssumptions(K, OS);
  return Error::success();
}
