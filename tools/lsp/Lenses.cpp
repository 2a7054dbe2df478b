//===- Lenses.cpp - The verdict above each kernel -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lenses.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Views/LaunchesToGive.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

std::vector<ShownKernel> editor::shownKernels(const Unit &Of) {
  std::vector<ShownKernel> Out;
  if (!Of.Good.What)
    return Out;
  std::map<std::string, std::vector<const KernelReport *>> Entries;
  for (const KernelReport &K : Of.Good.What->Kernels) {
    std::string Key =
        (baseName(K.Facts.Demangled) + ":" + Twine(K.Facts.Place.Line)).str();
    std::vector<const KernelReport *> &Same = Entries[Key];
    if (Same.empty())
      Out.push_back({Key});
    Same.push_back(&K);
  }
  for (ShownKernel &Kernel : Out) {
    const std::vector<const KernelReport *> &Same = Entries[Kernel.Key];
    const auto Clicks = Of.Clicks.find(Kernel.Key);
    Kernel.Count = Same.size();
    Kernel.Index = Clicks == Of.Clicks.end() ? 0 : Clicks->second % Same.size();
    Kernel.What = Same[Kernel.Index];
  }
  return Out;
}

/// "grid 32x32, block 32x8", or what is assumed of them.
static std::string launchText(const Launch &L) {
  std::string Text = L.Grid ? "grid " + formatDim(L.Grid->Value) + ", "
                            : std::string("grid unknown, ");
  Text += "block " + formatDim(L.Block.Value);
  if (L.Block.Source.by() == GivenBy::Nobody)
    Text += " assumed";
  return Text;
}

static std::string verdictText(const KernelReport &K, bool IsStale) {
  const Prediction &P = K.Predicted;
  std::string Text = IsStale ? "(stale) " : "";
  // What binds rests on what is not given.
  if (isUndecided(K))
    return Text + "has " + std::to_string(P.WarpsPerSm) +
           " warps | no time: " + std::string(P.Time.reason()) + " | " +
           launchText(K.Launched);
  Text += "bound by " + unitText(P.Diagnosed.Unit).str();
  if (!P.Bounds.empty())
    Text += " | needs " + formatWarps(P.Needed.P90) + " warps, has " +
            std::to_string(P.WarpsPerSm);
  else
    Text += " | has " + std::to_string(P.WarpsPerSm) + " warps";
  if (P.Time)
    Text += " | " + formatTime(P.Time->Ns);
  return Text + " | " + launchText(K.Launched);
}

std::vector<CodeLens> editor::lensesOf(const Unit &Of, const ShownFile &Shown,
                                       StringRef Uri) {
  std::vector<CodeLens> Out;
  for (const ShownKernel &Kernel : shownKernels(Of)) {
    const KernelReport &K = *Kernel.What;
    const std::optional<lsp::Range> Range = Shown.rangeOf(K.Facts.Place);
    if (!Range)
      continue;
    std::string Title = verdictText(K, Of.isStale());
    if (Kernel.Count > 1)
      Title += " (" + std::to_string(Kernel.Index + 1) + " of " +
               std::to_string(Kernel.Count) + ")";
    Out.push_back(
        {*Range,
         {Title, NextLaunchCommand.str(), json::Array{Uri, Kernel.Key}}});
    Out.push_back(
        {*Range,
         {"on " + K.Device, NextDeviceCommand.str(), json::Array{Uri}}});
  }
  return Out;
}
