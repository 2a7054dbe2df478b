//===- WriteMarkdown.cpp - The report as a comment on a change ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileNames.h"
#include "Markdown.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Views/LaunchesToGive.h"
#include "gpuocc/Views/ReportView.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static double timeOf(const KernelReport &K) {
  return K.Predicted.Time ? K.Predicted.Time->Ns : 0;
}

static std::string launchText(const Launch &L) {
  return (L.Grid ? formatDim(L.Grid->Value) : std::string("?")) + " x " +
         formatDim(L.Block.Value);
}

static void writeKernels(const Report &R, raw_ostream &OS) {
  std::vector<const KernelReport *> Kernels;
  for (const KernelReport &K : R.Kernels)
    Kernels.push_back(&K);
  llvm::sort(Kernels, [](const KernelReport *A, const KernelReport *B) {
    // Both lie in one array: equal times keep its order.
    return std::make_pair(-timeOf(*A), A) < std::make_pair(-timeOf(*B), B);
  });
  OS << "| kernel | grid x block | device | time | bound by | warps needed | "
        "warps resident |\n|---|---|---|---:|---|---:|---:|\n";
  for (const KernelReport *K : Kernels) {
    const Prediction &P = K->Predicted;
    OS << "| " << markdownCode(shortName(K->Facts.Demangled)) << " | "
       << launchText(K->Launched) << " | " << markdownText(K->Device) << " | "
       << (P.Time ? formatTime(P.Time->Ns) : "-") << " | ";
    // What binds rests on what is not given.
    if (isUndecided(*K))
      OS << "- | -";
    else
      OS << resourceKey(P.Diagnosed.Unit) << " | " << formatWarps(P.Needed.P90);
    OS << " | " << P.WarpsPerSm << " |\n";
  }
}

/// Launches that cannot run, in a table of their own.
static void writeRefused(ArrayRef<Problem> Problems, const ViewOptions &Options,
                         raw_ostream &OS) {
  if (Problems.empty())
    return;
  OS << "| cannot run | where | why |\n|---|---|---|\n";
  for (const Problem &P : Problems) {
    SourcePlace Place = P.Place;
    Place.File = fileBelow(Place.File, Options.BaseDirectory);
    OS << "| " << markdownCode(shortName(P.Kernel->Facts.Demangled)) << " | "
       << markdownText(formatPlace(Place)) << " | "
       << markdownText(P.What->text()) << " |\n";
  }
  OS << '\n';
}

static void writeProblems(ArrayRef<Problem> Problems,
                          const ViewOptions &Options, raw_ostream &OS) {
  if (Problems.empty())
    return;
  size_t Shown = Problems.size();
  if (Options.MaxFindings != 0)
    Shown = std::min<size_t>(Shown, Options.MaxFindings);
  OS << "\n| gain | where | rule | what |\n|---:|---|---|---|\n";
  for (const Problem &P : Problems.take_front(Shown)) {
    SourcePlace Place = P.Place;
    Place.File = fileBelow(Place.File, Options.BaseDirectory);
    OS << "| " << (P.What->Gain ? formatRatio(*P.What->Gain) : "") << " | "
       << markdownText(formatPlace(Place)) << " | " << ruleName(P.What->Rule)
       << " | " << markdownText(P.What->text()) << " |\n";
  }
  if (Shown != Problems.size())
    OS << '\n' << Problems.size() - Shown << " more of smaller gain.\n";
}

Error gpuocc::writeMarkdown(const Report &R, const ViewOptions &Options,
                            raw_ostream &OS) {
  if (R.Kernels.empty() && R.Refused.empty()) {
    OS << "No kernels.\n";
    return Error::success();
  }
  std::vector<Problem> Problems = collectProblems(R);
  // Errors come first.
  const size_t NumRefused = llvm::count_if(Problems, [](const Problem &P) {
    return severityOf(*P.What) == Severity::Error;
  });
  writeRefused(ArrayRef(Problems).take_front(NumRefused), Options, OS);
  if (!R.Kernels.empty())
    writeKernels(R, OS);
  writeProblems(ArrayRef(Problems).drop_front(NumRefused), Options, OS);
  if (std::string Text = suppressedText(R); !Text.empty())
    OS << '\n' << Text << ".\n";
  return Error::success();
}
