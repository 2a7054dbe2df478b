//===- KernelVerdict.cpp - What limits the kernel -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "Rules.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// What follows a word of Prediction::OccupancyLimiter.
static StringRef limitNoun(StringRef Limiter) {
  struct Row {
    StringLiteral Word, Rest;
  };
  static constexpr Row Rows[] = {{"warps", " per SM"},
                                 {"blocks", " per SM"},
                                 {"shared", " memory"},
                                 {"cluster", " size"}};
  for (const Row &R : Rows)
    if (R.Word == Limiter)
      return R.Rest;
  return "";
}

/// ": needs 20 warps per SM for 90 % of that bound, has 64 (limit: warps per
/// SM)".
static void writeWarps(const Prediction &P, FindingWriter &W) {
  W << ": ";
  if (!P.Bounds.empty()) {
    Resource First = P.Bounds.front().What;
    const std::string Bound = First == P.Diagnosed.Unit
                                  ? "that bound"
                                  : ("the bound by " + unitText(First)).str();
    const std::string Needed = formatWarps(P.Needed.P90);
    if (std::isfinite(P.Needed.P90))
      W << "needs " << named("NeededWarps", Needed) << " "
        << plural(Needed, "warp") << " per SM for 90 % of " << Bound;
    else
      W << "no number of warps reaches 90 % of " << Bound;
    W << ", has " << named("WarpsPerSm", Twine(P.WarpsPerSm));
  } else {
    W << "has " << named("WarpsPerSm", Twine(P.WarpsPerSm)) << " "
      << plural(P.WarpsPerSm, "warp") << " per SM";
  }
  W << " (limit: " << named("OccupancyLimiter", P.OccupancyLimiter)
    << limitNoun(P.OccupancyLimiter) << ")";
  // The grid decides when it cannot fill the SMs.
  constexpr double Few = 0.5;
  if (P.ActiveWarpsPerSm < Few * P.WarpsPerSm)
    W << ", " << named("ActiveWarps", formatNumber(P.ActiveWarpsPerSm))
      << " of them active with this grid";
}

/// Arguments that nobody gave and of which nothing in the code speaks for a
/// value, as the assumptions name them.
static std::vector<StringRef> defaultArguments(const Case &C) {
  std::vector<StringRef> Names;
  for (const Assumption &A : C.Profile.Assumptions) {
    StringRef Name = A.What;
    if (A.GuessedBy.empty() && Name.consume_front("argument "))
      Names.push_back(Name);
  }
  return Names;
}

/// What is needed for a time, and what the bound rests on until then.
static void writeHowToLaunch(const Case &C, FindingWriter &W) {
  const std::vector<StringRef> Arguments = defaultArguments(C);
  if (!Arguments.empty())
    W << "; the bound rests on values of "
      << named("RestsOn", join(Arguments, ", ")) << " that nobody gave";
  std::string Launch =
      (baseName(C.Facts.Demangled) + ":grid=...,block=...").str();
  for (StringRef Name : Arguments)
    Launch += (Name + "=...").str().insert(0, ",");
  W << "; give a launch by --launch='" << named("LaunchOption", Launch)
    << "', or run 'gpu-occupancy record' on the program";
}

static void writeTime(const Case &C, FindingWriter &W) {
  const Known<TimeEstimate> &Time = C.Predicted.Time;
  const Launch &L = C.Launched;
  if (Time) {
    W << "; " << named("Time", formatTime(Time->Ns));
    if (L.Grid)
      W << " for grid " << named("Grid", formatDim(L.Grid->Value)) << ", block "
        << named("Block", formatDim(L.Block.Value));
    return;
  }
  W << "; block " << named("Block", formatDim(L.Block.Value)) << " ("
    << named("BlockSource", L.Block.Source.text())
    << "), no time predicted: " << Time.reason();
  if (!L.Grid)
    writeHowToLaunch(C, W);
}

/// The branch on loaded data that decides most, where one does.
static void writeDecidingOdds(ArrayRef<OddsProfile> Odds, FindingWriter &W) {
  const OddsProfile *Most = nullptr;
  for (const OddsProfile &Of : Odds)
    if (Of.Decides &&
        (!Most || Of.InstructionsPerWarp > Most->InstructionsPerWarp))
      Most = &Of;
  if (!Most)
    return;
  W << "; data decides how much runs: the share of the branch at "
    << named("OddsPlace", Most->Place) << " that goes on to line "
    << named("OddsLine", Twine(Most->Line)) << " is assumed to be "
    << named("OddsShare", formatNumber(Most->Share));
  if (Most->OtherwiseNs)
    W << " (with " << (Most->Share <= 0 ? "1" : "0") << ": "
      << named("TimeOtherwise", formatTime(*Most->OtherwiseNs)) << ")";
}

void gpuocc::findKernelVerdict(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  const Diagnosis &D = P.Diagnosed;
  FindingWriter W(RuleId::KernelVerdict, kernelLocation(C.Facts));
  W << "'" << named("Kernel", qualifiedName(C.Facts.Demangled))
    << "' is bound by " << named("Limiter", unitText(D.Unit));
  // Enough warps, and yet nothing is busy.
  if (D.Cause == DiagnosisCause::SlowRequests ||
      D.Cause == DiagnosisCause::UncountedUnit ||
      D.Cause == DiagnosisCause::ShortLaunch)
    W << " (" << whyText(P) << ")";
  W << " on " << named("Device", C.Device.Name);
  if (isDerived(C.Device))
    W << " (" << named("DeviceBasis", deviceBasis(C.Device)) << ")";
  writeWarps(P, W);
  writeTime(C, W);
  writeDecidingOdds(C.Profile.Odds, W);
  W << recordOnly("Mode", modeText(D.mode())) << recordOnly("Why", whyText(P));
  Out.push_back(std::move(W.finding()));
}
