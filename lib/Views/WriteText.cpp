//===- WriteText.cpp - The report for a person at a terminal --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteText.h"
#include "PlanView.h"
#include "RatesText.h"
#include "SweepView.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/LaunchesToGive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// Resources named on the line of bounds.
static constexpr size_t ShownBounds = 6;

static void row(raw_ostream &OS, StringRef Name, const Twine &Text) {
  OS << "  " << left_justify(Name, 12) << printable(Text.str()) << '\n';
}

static std::string launchText(const Launch &L) {
  std::string Text;
  if (L.Grid)
    Text = "grid " + formatDim(L.Grid->Value) + " (" + L.Grid->Source.text() +
           "), ";
  else
    Text = "grid unknown, ";
  Text +=
      "block " + formatDim(L.Block.Value) + " (" + L.Block.Source.text() + ")";
  return Text;
}

static std::string boundsText(const Prediction &P) {
  std::string Text;
  for (size_t I = 0; I != std::min(P.Bounds.size(), ShownBounds); ++I)
    Text += (I ? ", " : "") + resourceKey(P.Bounds[I].What).str() + " " +
            formatNumber(P.Bounds[I].CyclesPerWarp);
  return Text + " SM cycles per warp; latency " +
         formatNumber(P.Latency.CyclesPerWarp) + " cycles";
}

/// Long lists are for the JSON report and the worksheet.
static std::string shortened(StringRef Text) {
  constexpr size_t Limit = 100;
  if (Text.size() <= Limit)
    return Text.str();
  return Text.take_front(Limit).str() + "...";
}

/// The patch stands at the left margin, for programs that apply it.
static void writeEdit(const SourceEdit &E, raw_ostream &OS) {
  OS << "      edit: " << printable(E.Title) << " (" << E.Price << ")\n"
     << printableLines(E.Diff);
}

static void writeFinding(const Finding &F, raw_ostream &OS) {
  OS << "    " << left_justify(F.Gain ? formatRatio(*F.Gain) : "-", 6) << ' ';
  if (std::string Place = formatPlace(placeToShow(F.Location)); !Place.empty())
    OS << Place << ": ";
  OS << F.text() << " [" << ruleName(F.Rule) << "]\n";
  if (F.Edit)
    writeEdit(*F.Edit, OS);
}

static std::string intervalText(const TimeInterval &I) {
  return formatTimes(I.LowNs, I.HighNs) + " with " + formatPercent(I.Coverage) +
         " confidence, by " + join(I.DependsOn, ", ");
}

static std::string resourcesText(const KernelReport &K) {
  return (formatCount(K.Facts.Resources.RegistersPerThread, "register") + " (" +
          K.Facts.Resources.Source + "), " + Twine(K.Facts.StaticSharedBytes) +
          " + " + Twine(K.Launched.DynamicSharedBytes.Value) +
          " B shared memory (static + dynamic)")
      .str();
}

static void writeName(const KernelReport &K, raw_ostream &OS) {
  OS << printable(shortName(K.Facts.Demangled));
  if (std::string Place = formatPlace(K.Facts.Place); !Place.empty())
    OS << "  " << Place;
  OS << '\n';
}

void gpuocc::writeRefusedText(const Report &R, raw_ostream &OS) {
  for (const auto &[Index, K] : enumerate(R.Refused)) {
    if (Index != 0)
      OS << '\n';
    writeName(K, OS);
    OS << "  cannot run (place, what)\n";
    for (const Finding &F : K.Findings)
      writeFinding(F, OS);
    row(OS, "launch", launchText(K.Launched));
    row(OS, "resources", resourcesText(K));
    if (K.Suppressed != 0)
      OS << "    " << suppressedText(K.Suppressed) << '\n';
  }
}

static void writeKernel(const KernelReport &K, const TextOptions &Options,
                        raw_ostream &OS) {
  const Prediction &P = K.Predicted;
  Selection S = selectFindings(K, Options.MaxFindings);
  writeName(K, OS);
  if (S.Verdict)
    row(OS, "verdict", S.Verdict->text());
  if (S.Verdict && S.Verdict->Edit)
    writeEdit(*S.Verdict->Edit, OS);
  if (!isUndecided(K))
    row(OS, "why", whyText(P));
  row(OS, "launch", launchText(K.Launched));
  if (!K.Facts.BuiltBy.empty())
    row(OS, "code", K.Facts.BuiltBy);
  row(OS, "resources", resourcesText(K));
  row(OS, "occupancy",
      formatCount(P.WarpsPerSm, "warp") + " and " +
          formatCount(P.BlocksPerSm, "block") + " per SM (" +
          formatPercent(P.OccupancyFraction) + "), limited by " +
          occupancyLimiterKey(P.Limiter));
  if (std::string Text = occupancyByBlockText(K); !P.Time && !Text.empty())
    row(OS, "by block", Text);
  if (K.OverSizes)
    row(OS, "by size", sweepText(K));
  if (!isUndecided(K))
    row(OS, "bounds", boundsText(P));
  if (P.Interval)
    row(OS, "interval", intervalText(*P.Interval));
  if (!isUndecided(K)) {
    row(OS, "rates", ratesText(K.Achieved));
    if (std::string Text = inFlightText(K.Achieved); !Text.empty())
      row(OS, "in flight", Text);
  }
  if (!S.Costly.empty())
    OS << (isUndecided(K) ? "  findings (innermost loops first: -, place, what)"
                          : "  findings (gain, place, what)")
       << '\n';
  for (const Finding *F : S.Costly)
    writeFinding(*F, OS);
  if (S.LeftOut != 0)
    OS << "    " << leftOutText(S) << '\n';
  if (K.Suppressed != 0)
    OS << "    " << suppressedText(K.Suppressed) << '\n';
  for (const Finding *F : S.Missed)
    writeFinding(*F, OS);
  if (K.Planned)
    writePlan(*K.Planned, gainsBeside(K), OS);
  if (!K.Profile.Assumptions.empty())
    OS << "  assumptions\n";
  for (const Assumption &A : K.Profile.Assumptions) {
    OS << "    " << printable(A.What) << " = " << printable(shortened(A.Taken));
    if (!A.HowToSupply.empty())
      OS << "; " << printable(A.HowToSupply);
    OS << '\n';
  }
}

Error gpuocc::writeText(const Report &R, const TextOptions &Options,
                        raw_ostream &OS) {
  writeRefusedText(R, OS);
  bool First = R.Refused.empty();
  for (const KernelReport &K : R.Kernels) {
    if (!First)
      OS << '\n';
    First = false;
    writeKernel(K, Options, OS);
  }
  if (R.Kernels.empty() && R.Refused.empty())
    OS << "no kernels\n";
  if (std::string Text = howToGetTimes(R); !Text.empty())
    OS << '\n' << Text << '\n';
  return Error::success();
}
