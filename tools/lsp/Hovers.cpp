//===- Hovers.cpp - How the numbers of a line come about ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hovers.h"
#include "LaneDrawing.h"
#include "Lenses.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Views/LaunchesToGive.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// Rows of a list before the rest is left out.
static constexpr unsigned MostRows = 8;

namespace {

/// Writes what one kernel says of one line.
class LineWriter {
public:
  LineWriter(const KernelReport &K, const ShownFile &Shown, unsigned Line,
             raw_ostream &OS)
      : K(K), Shown(Shown), Line(Line), OS(OS) {}

  void write() {
    writeFindings();
    writeAccesses();
    writeTerms();
    writePath();
    writeAssumptions();
  }

private:
  bool isHere(const SourceLocation &Location) const {
    return any_of(Location.Places, [&](const SourcePlace &P) {
      return P.Line == Line && Shown.contains(P);
    });
  }
  bool isHere(uint32_t Location) const {
    return Location < K.Facts.Locations.size() &&
           isHere(K.Facts.Locations[Location]);
  }

  void writeFindings() {
    for (const Finding &F : K.Findings)
      if (F.Remark == RemarkKind::Passed && F.Rule != RuleId::KernelVerdict &&
          isHere(F.Location))
        OS << "- **" << ruleName(F.Rule) << "**: " << F.text() << '\n';
  }

  void writeAccesses() {
    std::set<std::string> Drawn;
    const auto &Facts = K.Facts.Accesses;
    for (size_t I = 0; I != std::min(Facts.size(), K.Profile.Accesses.size());
         ++I) {
      const MemoryAccess &A = Facts[I];
      const Operation *Op = A.Op < K.Facts.Operations.size()
                                ? &K.Facts.Operations[A.Op]
                                : nullptr;
      if (!Op || !isHere(Op->Location) || A.Space == MemorySpace::Param ||
          A.Space == MemorySpace::Constant)
        continue;
      std::string Text = accessText(A, K.Profile.Accesses[I]);
      if (Drawn.insert(Text).second)
        OS << '\n' << Text;
    }
  }

  static std::string accessText(const MemoryAccess &A, const AccessProfile &P) {
    std::string Text;
    raw_string_ostream Out(Text);
    Out << "**" << memorySpaceText(A.Space) << ' ' << accessKindText(A.Kind)
        << "** of " << A.BytesPerLane << " B a lane: ";
    if (A.Space == MemorySpace::Shared)
      Out << formatCount(P.WavefrontsPerRequest, "wavefront")
          << " a request (ideal " << formatNumber(P.IdealWavefrontsPerRequest)
          << ')';
    else
      Out << formatCount(P.SectorsPerRequest, "sector") << " a request (ideal "
          << formatNumber(P.IdealSectorsPerRequest) << ')';
    if (A.Space != MemorySpace::Shared && A.Kind == AccessKind::Load)
      Out << ", " << formatPercent(P.L1HitFraction) << " of them in L1";
    Out << ", " << formatCount(P.RequestsPerWarp, "request") << " a warp";
    if (P.Exact != Exactness::Exact)
      Out << "; " << exactnessText(P.Exact)
          << (P.Reason.empty() ? "" : ": " + P.Reason);
    Out << "\n```\n" << drawLanes(A, P) << "```\n";
    return Text;
  }

  /// The terms of the worksheet that name this line.
  void writeTerms() {
    const std::string Here = "at line " + std::to_string(Line);
    bool IsFirst = true;
    for (const Bound &B : K.Predicted.Bounds)
      for (const BoundTerm &T : B.Terms) {
        StringRef Rest = StringRef(T.What).split(Here).second;
        if (!StringRef(T.What).contains(Here) ||
            (!Rest.empty() && isDigit(Rest.front())))
          continue;
        if (IsFirst)
          OS << "\n| resource | cycles per warp | use |\n|---|---:|---|\n";
        IsFirst = false;
        OS << "| " << resourceKey(B.What) << " | " << formatNumber(T.cycles())
           << " of " << formatNumber(B.CyclesPerWarp) << " | " << T.What
           << " |\n";
      }
  }

  /// Steps of the longest path of a warp at this line.
  void writePath() {
    double Cycles = 0;
    std::string Why;
    for (const LatencyStep &Step : K.Predicted.Latency.Path) {
      if (Step.Op >= K.Facts.Operations.size() ||
          !isHere(K.Facts.Operations[Step.Op].Location))
        continue;
      Cycles += Step.CyclesTotal;
      if (!StringRef(Why).contains(Step.Why))
        Why += (Why.empty() ? "" : ", ") + Step.Why;
    }
    if (Cycles > 0)
      OS << "\nOf the " << formatNumber(K.Predicted.Latency.CyclesPerWarp)
         << " cycles of one warp " << formatNumber(Cycles)
         << " pass here: " << Why << ".\n";
  }

  void writeAssumptions() {
    for (const Assumption &A : K.Profile.Assumptions)
      if (isHere(A.Location))
        OS << "\nThe price assumes " << A.What << " = " << A.Taken
           << (A.HowToSupply.empty() ? "" : "; " + A.HowToSupply) << ".\n";
  }

  const KernelReport &K;
  const ShownFile &Shown;
  unsigned Line;
  raw_ostream &OS;
};

} // namespace

static void writeKernel(const KernelReport &K, raw_ostream &OS) {
  const Prediction &P = K.Predicted;
  for (const Finding &F : K.Findings)
    if (F.Rule == RuleId::KernelVerdict)
      OS << F.text() << ".\n\n";
  if (!isUndecided(K))
    OS << "- why: " << whyText(P) << '\n';
  OS << "- resources: " << K.Facts.Resources.RegistersPerThread
     << " registers (" << K.Facts.Resources.Source << "), "
     << K.Facts.StaticSharedBytes << " + "
     << K.Launched.DynamicSharedBytes.Value
     << " B shared memory (static + dynamic)\n";
  OS << "- occupancy: " << P.WarpsPerSm << " warps and " << P.BlocksPerSm
     << " blocks per SM, limited by " << occupancyLimiterKey(P.Limiter) << '\n';
  if (!isUndecided(K)) {
    OS << "- bounds, SM cycles per warp:";
    for (const Bound &B : ArrayRef(P.Bounds).take_front(MostRows))
      OS << ' ' << resourceKey(B.What) << ' ' << formatNumber(B.CyclesPerWarp);
    OS << "; latency " << formatNumber(P.Latency.CyclesPerWarp) << '\n';
  }
  if (P.Interval)
    OS << "- time: " << formatTimes(P.Interval->LowNs, P.Interval->HighNs)
       << " with " << formatPercent(P.Interval->Coverage) << " confidence\n";
  for (const Assumption &A :
       ArrayRef(K.Profile.Assumptions).take_front(MostRows))
    OS << "- assumed: " << A.What << " = " << A.Taken
       << (A.HowToSupply.empty() ? "" : "; " + A.HowToSupply) << '\n';
}

std::optional<lsp::Hover>
editor::hoverAt(const Unit &Of, const ShownFile &Shown, lsp::Position Where) {
  const std::optional<unsigned> Line = Shown.analyzedLine(Where);
  if (!Of.Good.What || !Line)
    return std::nullopt;
  lsp::Hover Out{lsp::Range(Where)};
  Out.range = std::nullopt;
  raw_string_ostream OS(Out.contents.value);
  for (const ShownKernel &Kernel : shownKernels(Of)) {
    const KernelReport &K = *Kernel.What;
    std::string Text;
    raw_string_ostream Lines(Text);
    if (Shown.contains(K.Facts.Place) && K.Facts.Place.Line == *Line)
      writeKernel(K, Lines);
    else
      LineWriter(K, Shown, *Line, Lines).write();
    if (Text.empty())
      continue;
    OS << (Out.contents.value.empty() ? "" : "\n---\n") << "### "
       << baseName(K.Facts.Demangled) << " on " << K.Device
       << (Of.isStale() ? " (stale)" : "") << "\n\n"
       << Text;
  }
  if (Out.contents.value.empty())
    return std::nullopt;
  return Out;
}
