//===- KernelVerdict.cpp - What limits the kernel -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntervalOf.h"
#include "Message.h"
#include "Rules.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/WhatIf/CopyStages.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

/// What follows the word for \p Limiter.
static StringRef limitNoun(std::optional<OccupancyLimiter> Limiter) {
  if (!Limiter)
    return "";
  switch (*Limiter) {
  case OccupancyLimiter::Warps:
  case OccupancyLimiter::Blocks:
    return " per SM";
  case OccupancyLimiter::Shared:
    return " memory";
  case OccupancyLimiter::Cluster:
    return " size";
  case OccupancyLimiter::Registers:
  case OccupancyLimiter::Barriers:
    return "";
  }
  llvm_unreachable("not a limiter");
}

/// The pipeline of copies that brings most of what is read, where waits for
/// memory decide: more warps are only one way to have more of it under way.
static std::optional<CopyPipeline> copiesThatCount(const Case &C) {
  constexpr double Most = 0.5;
  std::optional<CopyPipeline> Found =
      copyPipeline(C.Facts, C.Profile, unsigned(C.Launched.warpsPerBlock()));
  const Resource First = C.Predicted.Bounds.front().What;
  return Found && Found->ShareOfReads > Most &&
                 (First == Resource::Dram || First == Resource::L2) &&
                 std::isfinite(C.Predicted.Needed.P90)
             ? Found
             : std::nullopt;
}

/// "needs 30.7 KB of copies under way per SM for 90 % of that bound, has 4.1 KB
/// (2 stages of 2048 B a block); ".
static void writeCopies(const Prediction &P, const CopyPipeline &Copies,
                        unsigned WarpsPerBlock, StringRef Bound,
                        FindingWriter &W) {
  const double BytesOfWarp = Copies.bytesOfBlock() / WarpsPerBlock;
  auto Kilobytes = [&](double Warps) {
    return formatNumber(Warps * BytesOfWarp / 1e3);
  };
  W << "needs " << named("NeededCopyKilobytes", Kilobytes(P.Needed.P90))
    << " KB of copies under way per SM for 90 % of " << Bound << ", has "
    << named("CopyKilobytes", Kilobytes(P.ActiveWarpsPerSm)) << " KB ("
    << named("Stages", formatCount(Copies.Stages, "stage")) << " of "
    << named("StageBytes", formatNumber(Copies.BytesOfStage))
    << " B a block); ";
}

/// ": needs 20 warps per SM for 90 % of that bound, has 64 (limit: warps per
/// SM)".
static void writeWarps(const Case &C, FindingWriter &W) {
  const Prediction &P = C.Predicted;
  W << ": ";
  if (!P.Bounds.empty()) {
    Resource First = P.Bounds.front().What;
    const std::string Bound = First == P.Diagnosed.Unit
                                  ? "that bound"
                                  : ("the bound by " + unitText(First)).str();
    const std::optional<CopyPipeline> Copies = copiesThatCount(C);
    const std::string Needed = formatWarps(P.Needed.P90);
    if (Copies)
      writeCopies(P, *Copies, unsigned(C.Launched.warpsPerBlock()), Bound, W);
    if (Copies)
      W << recordOnly("NeededWarps", Needed);
    else if (std::isfinite(P.Needed.P90))
      W << "needs " << named("NeededWarps", Needed) << " "
        << plural(Needed, "warp") << " per SM for 90 % of " << Bound;
    else
      W << "no number of warps reaches 90 % of " << Bound;
    W << (Copies ? "" : ", ") << "has "
      << named("WarpsPerSm", Twine(P.WarpsPerSm));
    if (Copies)
      W << " " << plural(P.WarpsPerSm, "warp");
  } else {
    W << "has " << named("WarpsPerSm", Twine(P.WarpsPerSm)) << " "
      << plural(P.WarpsPerSm, "warp") << " per SM";
  }
  W << " (limit: " << named("OccupancyLimiter", occupancyLimiterKey(P.Limiter))
    << limitNoun(P.Limiter) << ")";
  // The grid decides when it cannot fill the SMs.
  constexpr double Few = 0.5;
  if (P.ActiveWarpsPerSm < Few * P.WarpsPerSm)
    W << ", " << named("ActiveWarps", formatNumber(P.ActiveWarpsPerSm))
      << " of them active with this grid";
}

/// What is needed for a time.
static void writeHowToLaunch(const Case &C, FindingWriter &W) {
  std::string Launch = baseName(C.Facts.Demangled).str() + ":";
  if (C.Launched.Grid)
    Launch += "grid=" + formatDim(C.Launched.Grid->Value) +
              ",block=" + formatDim(C.Launched.Block.Value);
  else
    Launch += "grid=...,block=...";
  for (StringRef Name : C.Deciding)
    Launch += ("," + Name + "=...").str();
  W << "; give "
    << (!C.Launched.Grid         ? "a launch"
        : C.Deciding.size() == 1 ? "it"
                                 : "them")
    << " by --launch='" << named("LaunchOption", Launch)
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
  if (!C.Facts.Operations.empty() && (!L.Grid || !C.Deciding.empty()))
    writeHowToLaunch(C, W);
}

/// "; behind the bus, in host memory: 'a', 'b'".
static void writeHostMemory(const Case &C, FindingWriter &W) {
  if (none_of(C.Profile.Accesses, [](const AccessProfile &A) {
        return A.IsHostMemory && A.RequestsPerWarp > 0;
      }))
    return;
  std::string Names;
  for (const auto &[Offset, Said] : C.Launched.HostMemory)
    for (auto [Index, P] : enumerate(C.Facts.Parameters))
      if (Offset >= P.OffsetBytes && Offset < P.OffsetBytes + P.SizeBytes)
        Names +=
            (Names.empty() ? "" : ", ") +
            (P.Name.empty() ? "argument " + utostr(Index) : "'" + P.Name + "'");
  W << "; behind the bus, in host memory: " << named("HostMemory", Names);
}

/// The branch on loaded data that decides most, where one does.
static void
writeDecidingProbabilities(ArrayRef<BranchProbabilityProfile> Probabilities,
                           FindingWriter &W) {
  const BranchProbabilityProfile *Most = nullptr;
  for (const BranchProbabilityProfile &Of : Probabilities)
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

/// The loop that repeats most of those whose end nobody knows, or else products
/// that have no price, where they leave the time without an upper end.
static void writeWhatIsUnbounded(const Case &C, FindingWriter &W) {
  if (!C.Predicted.Interval || std::isfinite(C.Predicted.Interval->HighNs))
    return;
  std::optional<uint32_t> Most;
  auto Executions = [&](uint32_t Loop) {
    return C.Profile.Blocks[C.Facts.Loops[Loop].Header].ExecutionsPerWarp;
  };
  for (uint32_t I = 0; I != C.Profile.Loops.size(); ++I) {
    const LoopProfile &L = C.Profile.Loops[I];
    if (isOpenEnded(L) && (!Most || Executions(I) > Executions(*Most)))
      Most = I;
  }
  if (!Most) {
    if (lacksProducts(C.Facts, C.Profile))
      W << ", or more: what tensor cores take is not known";
    return;
  }
  SourcePlace Place = C.Facts.placeOf(C.Facts.Loops[*Most].Location);
  Place.Column = 0;
  const std::string Where = formatPlace(Place);
  W << ", or more: how often " << (Where.empty() ? "a loop" : "the loop at ")
    << named("TripsPlace", Where) << " repeats is assumed";
}

/// What holds whatever the arguments are that nobody gave, or whatever
/// instructions the kernel has.
static void writeUndecided(const Case &C, FindingWriter &W) {
  const Prediction &P = C.Predicted;
  W << "has " << named("WarpsPerSm", Twine(P.WarpsPerSm)) << " "
    << plural(P.WarpsPerSm, "warp") << " per SM (limit: "
    << named("OccupancyLimiter", occupancyLimiterKey(P.Limiter))
    << limitNoun(P.Limiter) << ") on " << named("Device", C.Device.Name);
  if (isDerived(C.Device))
    W << " (" << named("DeviceBasis", deviceBasis(C.Device)) << ")";
  writeTime(C, W);
}

void gpuocc::findKernelVerdict(const Case &C, Findings &Out) {
  const Prediction &P = C.Predicted;
  const Diagnosis &D = P.Diagnosed;
  FindingWriter W(RuleId::KernelVerdict, kernelLocation(C.Facts));
  W << "'" << named("Kernel", shortName(qualifiedName(C.Facts.Demangled)))
    << "' ";
  if (!C.Deciding.empty() || C.Facts.Operations.empty()) {
    writeUndecided(C, W);
    Out.push_back(std::move(W.finding()));
    return;
  }
  W << "is bound by " << named("Limiter", unitText(D.Unit));
  // Enough warps, and yet nothing is busy.
  if (D.Cause == DiagnosisCause::SlowRequests ||
      D.Cause == DiagnosisCause::UncountedUnit ||
      D.Cause == DiagnosisCause::ShortLaunch)
    W << " (" << whyText(P) << ")";
  W << " on " << named("Device", C.Device.Name);
  if (isDerived(C.Device))
    W << " (" << named("DeviceBasis", deviceBasis(C.Device)) << ")";
  writeWarps(C, W);
  writeTime(C, W);
  writeHostMemory(C, W);
  writeWhatIsUnbounded(C, W);
  writeDecidingProbabilities(C.Profile.BranchProbabilities, W);
  W << recordOnly("Mode", modeText(D.mode())) << recordOnly("Why", whyText(P));
  Out.push_back(std::move(W.finding()));
}
