//===- WriteRoofline.cpp - Rates and the roofline at a terminal -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteRoofline.h"
#include "Plot.h"
#include "RatesText.h"
#include "Table.h"
#include "gpuocc/Model/Roofline.h"
#include "gpuocc/Report/Format.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

namespace {

/// How a point is drawn and called.
struct PointStyle {
  RooflineLevel Level;
  RooflineCount Count;
  char Mark;
  StringLiteral Name;
};

/// The line of the most transactions of a level.
struct LevelStyle {
  RooflineLevel Level;
  char Mark;
};

} // namespace

static constexpr PointStyle Points[] = {
    {RooflineLevel::L1, RooflineCount::All, '1', "L1"},
    {RooflineLevel::L2, RooflineCount::All, '2', "L2"},
    {RooflineLevel::Dram, RooflineCount::All, 'D', "DRAM"},
    {RooflineLevel::L1, RooflineCount::GlobalAccesses, 'g',
     "L1, global accesses"},
    {RooflineLevel::Shared, RooflineCount::SharedAccesses, 's',
     "shared accesses"},
};

static constexpr LevelStyle Levels[] = {
    {RooflineLevel::L1, '\''},
    {RooflineLevel::L2, '.'},
    {RooflineLevel::Dram, '/'},
    {RooflineLevel::Shared, '~'},
};

static std::string peakText(const Rate &R) {
  return R.Peak ? formatNumber(*R.Peak) : "-";
}

static std::string percentText(const Known<double> &Share) {
  return Share ? formatPercent(*Share) : "-";
}

void gpuocc::writeRates(const Rates &R, raw_ostream &OS) {
  OS << "\nachieved rates"
     << (R.OfWholeLaunch ? ", means over the whole launch"
                         : " of SMs that are always full (no launch is known)")
     << '\n';
  Table T({"rate", "value", "peak", "of it", "busy", "unit"}, {1, 2, 3, 4});
  auto Add = [&](StringRef Name, const Rate &Of, StringRef Unit) {
    if (Of.Value > 0)
      T.add({Name.str(), formatNumber(Of.Value), peakText(Of),
             percentText(Of.fraction()), percentText(Of.share()), Unit.str()});
  };
  Add("DRAM", R.DramGBs, "GB/s");
  Add("L2", R.L2GBs, "GB/s");
  Add("L1", R.L1GBs, "GB/s");
  Add("shared memory", R.SharedGBs, "GB/s");
  Add("warp instructions", R.Gips, "GIPS");
  Add("IPC", R.Ipc, "warp instructions per cycle and SM");
  for (const FlopRate &F : R.Flops)
    Add(flopKindText(F.Kind), F.GigaPerSecond,
        F.Kind == FlopKind::TensorInt8 ? "GOP/s" : "GFLOP/s");
  T.print(OS);
  if (const std::string Text = inFlightText(R); !Text.empty())
    OS << "  " << Text << '\n';
}

/// The highest of the ceilings that are drawn as lines from the left.
static double issueGips(const Roofline &R) {
  for (const InstructionCeiling &C : R.Ceilings)
    if (C.Unit == Resource::Issue)
      return C.Gips;
  return R.WarpGips;
}

static void draw(const Roofline &R, unsigned Columns, raw_ostream &OS) {
  constexpr unsigned Rows = 20;
  const double Issue = issueGips(R);
  // No rate, no scale: the time of the launch is not known.
  if (!(Issue > 0) || !std::isfinite(Issue))
    return;
  PlotAxis X = {0.02, 2}, Y = {Issue / 100, Issue * 1.3};
  for (const RooflinePoint &P : R.Points) {
    X.include(P.Intensity * 1.5);
    Y.include(P.Gips / 1.5);
  }
  Plot Drawing(Columns, Rows, X, Y);
  for (ArrayRef<RooflineWall> Walls :
       {ArrayRef(R.GlobalWalls), ArrayRef(R.SharedWalls)})
    for (const RooflineWall &W : Walls)
      Drawing.vertical(W.Intensity, '|');
  for (const LevelStyle &L : Levels)
    for (const RooflinePoint &P : R.Points)
      if (P.Level == L.Level && P.Gtxn.Peak)
        Drawing.diagonal(*P.Gtxn.Peak, Issue, L.Mark);
  Drawing.horizontal(Issue, 0, '=');
  Drawing.horizontal(R.WarpGips, 0, '-');
  for (const PointStyle &S : Points)
    if (const RooflinePoint *P = R.point(S.Level, S.Count))
      Drawing.point(P->Intensity, P->Gips, S.Mark);
  Drawing.print("instructions per transaction", "   GIPS", OS);
  OS << "  = issue, - warp instructions; ceilings ' L1, . L2, / DRAM, ~ shared;"
     << " | walls\n";
}

static void writePoints(const Roofline &R, raw_ostream &OS) {
  Table T({"", "point", "intensity", "GIPS", "GTXN/s", "peak", "of it"},
          {2, 3, 4, 5, 6});
  for (const PointStyle &S : Points)
    if (const RooflinePoint *P = R.point(S.Level, S.Count))
      T.add({std::string(1, S.Mark), S.Name.str(), formatNumber(P->Intensity),
             formatNumber(P->Gips), formatNumber(P->Gtxn.Value),
             peakText(P->Gtxn), percentText(P->Gtxn.fraction())});
  T.print(OS);
}

static void writeWalls(StringRef Of, ArrayRef<RooflineWall> Walls,
                       StringRef Nearest, double Intensity, raw_ostream &OS) {
  if (Walls.empty())
    return;
  OS << "  " << Of << ": " << formatNumber(1 / Intensity)
     << " transactions per request, nearest to the wall '" << Nearest
     << "' (walls:";
  for (const RooflineWall &W : Walls)
    OS << (&W == Walls.begin() ? " " : ", ") << W.Name << " at "
       << formatNumber(1 / W.Intensity);
  OS << ")\n";
}

static void writeCeilings(ArrayRef<InstructionCeiling> Ceilings,
                          raw_ostream &OS) {
  Table T({"ceiling", "GIPS", "class", "arithmetic"}, {1});
  for (const InstructionCeiling &C : Ceilings)
    T.add({resourceKey(C.Unit).str(), formatNumber(C.Gips),
           C.Class ? instClassKey(*C.Class).str() : "",
           C.GigaFlops > 0
               ? gigaText(C.GigaFlops, flopUnit(warpFlops(*C.Class).Kind))
               : ""});
  T.print(OS);
}

void gpuocc::writeRoofline(const Roofline &R, unsigned Columns,
                           raw_ostream &OS) {
  constexpr unsigned Narrowest = 40, Widest = 100;
  OS << "\ninstruction roofline: 10^9 instructions of 32 active lanes per "
        "second over instructions per transaction\n";
  if (Columns >= Narrowest)
    draw(R, std::min(Columns, Widest), OS);
  writePoints(R, OS);
  if (const RooflinePoint *P =
          R.point(RooflineLevel::L1, RooflineCount::GlobalAccesses))
    writeWalls("global accesses", R.GlobalWalls, R.NearestGlobalWall,
               P->Intensity, OS);
  if (const RooflinePoint *P =
          R.point(RooflineLevel::Shared, RooflineCount::SharedAccesses))
    writeWalls("shared accesses", R.SharedWalls, R.NearestSharedWall,
               P->Intensity, OS);
  OS << "  predication: " << formatPercent(R.activeFraction())
     << " of the lanes of warp instructions are active\n";
  writeCeilings(R.Ceilings, OS);
}

void gpuocc::writeDeviceRoofline(const DeviceModel &Device, raw_ostream &OS) {
  const std::vector<InstructionCeiling> Ceilings =
      instructionCeilings(Device, nullptr);
  if (Ceilings.empty())
    return;
  OS << "\nceilings of the instruction roofline (docs/roofline.md)\n";
  writeCeilings(Ceilings, OS);
  Table T({"transactions", "GTXN/s"}, {1});
  for (unsigned I = 0; I != NumRooflineLevels; ++I)
    if (const Known<double> Peak = peakGtxn(RooflineLevel(I), Device))
      T.add({rooflineLevelText(RooflineLevel(I)).str(), formatNumber(*Peak)});
  T.print(OS);
}
