//===- PageData.cpp - What the HTML page adds to the report ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PageData.h"
#include "OccupancyTable.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/DiagnosisText.h"
#include "gpuocc/Report/RulePages.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/InstClass.h"
#include "gpuocc/Views/LaunchesToGive.h"
#include <map>
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Lines of source files that the page shows, by the name of the file.
using WantedLines = std::map<std::string, std::set<unsigned>>;

/// The steps of a warp's path that one line is responsible for.
struct LineWait {
  double Cycles = 0;
  double MostCycles = 0;
  /// Of the most costly step.
  StringRef Why;
};

} // namespace

static json::Value text(StringRef Text) { return json::fixUTF8(Text); }

static json::Value waits(const KernelReport &K, WantedLines &Wanted) {
  std::map<std::pair<std::string, unsigned>, LineWait> ByLine;
  for (const LatencyStep &Step : K.Predicted.Latency.Path) {
    if (Step.Op >= K.Facts.Operations.size())
      continue;
    uint32_t Location = K.Facts.Operations[Step.Op].Location;
    if (Location >= K.Facts.Locations.size())
      continue;
    SourcePlace Place = placeToShow(K.Facts.Locations[Location]);
    if (!Place.isValid())
      continue;
    LineWait &Wait = ByLine[{Place.File, Place.Line}];
    Wait.Cycles += Step.CyclesTotal;
    if (Step.CyclesTotal > Wait.MostCycles) {
      Wait.MostCycles = Step.CyclesTotal;
      Wait.Why = Step.Why;
    }
  }
  json::Array Out;
  for (const auto &[Place, Wait] : ByLine) {
    if (Wait.Cycles < 1)
      continue;
    Wanted[Place.first].insert(Place.second);
    Out.push_back(json::Object{{"file", text(Place.first)},
                               {"line", Place.second},
                               {"cycles", Wait.Cycles},
                               {"why", text(Wait.Why)}});
  }
  return Out;
}

static json::Value lanesOf(const KernelReport &K, const Finding &F) {
  if (F.Access >= K.Profile.Accesses.size())
    return nullptr;
  const AccessProfile &A = K.Profile.Accesses[F.Access];
  const MemoryAccess &Access = K.Facts.Accesses[F.Access];
  return json::Object{
      {"space", memorySpaceText(Access.Space)},
      {"bytes", Access.BytesPerLane},
      {"stride", A.LaneStrideBytes ? json::Value(*A.LaneStrideBytes) : nullptr},
      {"pattern", text(A.Pattern)}};
}

static json::Value lanes(const KernelReport &K, WantedLines &Wanted) {
  json::Array Out;
  for (const Finding &F : K.Findings) {
    SourcePlace Place = placeToShow(F.Location);
    if (Place.isValid())
      Wanted[Place.File].insert(Place.Line);
    Out.push_back(lanesOf(K, F));
  }
  return Out;
}

static json::Value kernelData(const KernelReport &K, WantedLines &Wanted) {
  if (K.Facts.Place.isValid())
    Wanted[K.Facts.Place.File].insert(K.Facts.Place.Line);
  return json::Object{{"latency", K.Predicted.Latency.CyclesPerWarp},
                      {"base", text(baseName(K.Facts.Demangled))},
                      {"undecided", isUndecided(K)},
                      {"waits", waits(K, Wanted)},
                      {"lanes", lanes(K, Wanted)},
                      {"occupancy", occupancyTable(K)}};
}

/// Lines from a little above the first to a little below the last that is
/// wanted, but those far from all of them.
static json::Value sourceLines(StringRef Text,
                               const std::set<unsigned> &Lines) {
  constexpr unsigned LinesAround = 40;
  json::Object Out;
  unsigned Number = 0;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    ++Number;
    auto Next =
        Lines.lower_bound(Number <= LinesAround ? 0 : Number - LinesAround);
    if (Next != Lines.end() && *Next <= Number + LinesAround)
      Out[std::to_string(Number)] = text(Line.rtrim("\r"));
    Text = Rest;
  }
  return Out;
}

static json::Value sources(const WantedLines &Wanted,
                           const ViewOptions &Options) {
  json::Object Out;
  if (Options.ReadSource)
    for (const auto &[File, Lines] : Wanted)
      if (std::optional<std::string> Text = Options.ReadSource(File))
        Out[json::fixUTF8(File)] = sourceLines(*Text, Lines);
  return Out;
}

/// The pages of the rules that the page links to.
static json::Value rulePages(const Report &R) {
  json::Object Out;
  for (const KernelReport &K : R.Kernels)
    for (const Finding &F : K.Findings)
      if (ruleRemarkKind(F.Rule) != RemarkKind::Analysis)
        Out.try_emplace(ruleName(F.Rule), text(rulePage(F.Rule)));
  return Out;
}

json::Value gpuocc::pageData(const Report &R, const ViewOptions &Options) {
  json::Object Resources;
  for (size_t I = 0; I != NumResources; ++I)
    Resources[resourceKey(Resource(I))] = unitText(Resource(I));
  WantedLines Wanted;
  json::Array Kernels;
  for (const KernelReport &K : R.Kernels)
    Kernels.push_back(kernelData(K, Wanted));
  return json::Object{{"resources", std::move(Resources)},
                      {"rules", rulePages(R)},
                      {"kernels", std::move(Kernels)},
                      {"sources", sources(Wanted, Options)}};
}
