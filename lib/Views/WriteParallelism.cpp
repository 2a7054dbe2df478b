//===- WriteParallelism.cpp - Parallelism at a terminal -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteParallelism.h"
#include "ChainLines.h"
#include "Table.h"
#include "gpuocc/Report/Format.h"

using namespace gpuocc;
using namespace llvm;

static std::string placeText(const SourcePlace &P) {
  std::string Text = formatPlace(P);
  return Text.empty() ? "-" : Text;
}

void gpuocc::writeParallelism(const KernelReport &K, raw_ostream &OS) {
  const Parallelism &P = K.InParallel;
  OS << "\nparallelism of a warp: " << formatCount(P.Ilp, "instruction")
     << " in execution on average (ILP), at most "
     << formatCount(P.LoadsBeforeWait, "load") << " before a wait for one\n";
  if (!P.Loops.empty()) {
    Table T({"loop", "cycles each turn", "ILP", "chains", "cycles of a chain",
             "loads before a wait"},
            {1, 2, 3, 4, 5});
    for (const LoopParallelism &L : P.Loops)
      T.add({placeText(placeOfLoop(K, L.Loop)),
             formatNumber(L.CyclesPerIteration), formatNumber(L.Ilp),
             std::to_string(L.Chains),
             L.Chains ? formatNumber(L.ChainCycles) +
                            (L.ChainLoads ? " (loads)" : "")
                      : "-",
             std::to_string(L.LoadsBeforeWait)});
    T.print(OS);
  }
  const std::vector<ChainLine> Lines = chainLines(K);
  if (Lines.empty())
    return;
  OS << "\ndependency chain: results that a warp waits for\n";
  Table T({"cycles", "producer", "", "consumer", ""}, {0});
  for (const ChainLine &L : Lines)
    T.add({formatNumber(L.Cycles), placeText(L.Producer.Place),
           L.Producer.Operation, placeText(L.Consumer.Place),
           L.Consumer.Operation});
  T.print(OS);
}

/// "15.3", or "16/8/4" by ILP.
static std::string byIlp(ArrayRef<PipelinePoint> Points,
                         double PipelinePoint::*Field) {
  std::string Text;
  for (const PipelinePoint &P : Points)
    Text += (Text.empty() ? "" : "/") + formatNumber(P.*Field);
  return Text;
}

void gpuocc::writeOccupancyRoofline(const KernelReport &K, raw_ostream &OS) {
  const OccupancyRoofline &R = K.OverOccupancy;
  if (R.Classes.empty())
    return;
  constexpr size_t Shown = 12;
  OS << "\noccupancy roofline: what " << formatNumber(R.Warps)
     << " resident warps with an ILP of " << formatNumber(R.Ilp)
     << " reach in each class of instructions\n";
  Table T({"class", "count", "lambda", "Lambda", "ridge warps", "of the peak"},
          {1, 5});
  for (const ClassPipeline &C : ArrayRef(R.Classes).take_front(Shown))
    T.add({instClassKey(C.Class).str(), formatNumber(C.PerWarp),
           byIlp(C.Points, &PipelinePoint::IssueLatency),
           byIlp(C.Points, &PipelinePoint::CompletionLatency),
           byIlp(C.Points, &PipelinePoint::RidgeWarps),
           formatPercent(C.FractionOfPeak)});
  T.print(OS);
  OS << "  lambda and Lambda: fewest and most cycles per instruction of an SM; "
        "a/b/c: with 1, 2 and 4 independent instructions\n";
}
