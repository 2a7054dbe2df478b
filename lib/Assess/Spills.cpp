//===- Spills.cpp - Registers that are spilled ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LocalAccesses.h"
#include "PricingBudget.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Assembler/SpillCode.h"
#include "gpuocc/Report/RuleIds.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Spilled values that are made at one line.
struct SpilledLine {
  /// Location of the first of them.
  uint32_t Location = NoIndex;
  std::vector<uint32_t> Accesses;
  double RequestsPerWarp = 0;
  uint64_t StoredBytes = 0, LoadedBytes = 0;
};

} // namespace

/// Where the value that access \p I stores or loads is made.
static uint32_t locationOfValue(const KernelFacts &Facts, uint32_t I) {
  const Operation &Op = Facts.Operations[Facts.Accesses[I].Op];
  return Facts.Operations[Op.Operands[0].Index].Location;
}

/// The lines of \p C with spilled values, those with most requests first.
static std::vector<SpilledLine> spilledLines(const Case &C) {
  std::map<std::pair<std::string, unsigned>, SpilledLine> ByPlace;
  for (uint32_t I = 0; I != C.Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = C.Facts.Accesses[I];
    if (!isSpill(C.Facts, A))
      continue;
    uint32_t Location = locationOfValue(C.Facts, I);
    SourcePlace Place = C.Facts.placeOf(Location);
    SpilledLine &Line = ByPlace[{Place.File, Place.Line}];
    if (Line.Accesses.empty())
      Line.Location = Location;
    Line.Accesses.push_back(I);
    Line.RequestsPerWarp += C.Profile.Accesses[I].RequestsPerWarp;
    (A.Kind == AccessKind::Store ? Line.StoredBytes : Line.LoadedBytes) +=
        A.BytesPerLane;
  }
  std::vector<SpilledLine> Lines;
  for (auto &[Place, Line] : ByPlace)
    Lines.push_back(std::move(Line));
  llvm::sort(Lines, [](const SpilledLine &A, const SpilledLine &B) {
    return std::tie(B.RequestsPerWarp, A.Accesses) <
           std::tie(A.RequestsPerWarp, B.Accesses);
  });
  return Lines;
}

/// "line 12", or "'a.h' line 12" when that is not the file of the kernel.
static std::string lineText(const KernelFacts &Facts, uint32_t Location) {
  SourcePlace Place = Facts.placeOf(Location);
  std::string Text = "line " + std::to_string(Place.Line);
  return Place.File == Facts.Place.File ? Text : "'" + Place.File + "' " + Text;
}

/// \p Line with what mending \p Together brings; without a price when that is
/// empty.
static void findSpilledLine(const Case &C, const SpilledLine &Line,
                            ArrayRef<SpilledLine> Together,
                            const PressurePeak &Peak, Findings &Out) {
  FindingWriter W(RuleId::LocalMemory,
                  locationOrKernel(C.Facts, Line.Location));
  W.finding().Access = Line.Accesses.front();
  W << "registers are spilled: values made here live across ";
  uint32_t At =
      Peak.Op == NoIndex ? NoIndex : C.Unspilled.Operations[Peak.Op].Location;
  if (C.Facts.placeOf(At).isValid())
    W << named("PeakLine", lineText(C.Facts, At));
  else
    W << "the place";
  W << " where most are alive, with "
    << named("Registers", Twine(C.Facts.Resources.RegistersPerThread)) << " "
    << plural(C.Facts.Resources.RegistersPerThread, "register")
    << " per thread; " << named("SpillStoreBytes", Twine(Line.StoredBytes))
    << " B are stored and " << named("SpillLoadBytes", Twine(Line.LoadedBytes))
    << " B loaded per thread in the code ("
    << named("RequestsPerWarp", formatCount(Line.RequestsPerWarp, "request"))
    << " per warp); make them later or again, or allow more registers";
  if (Together.size() > 1)
    W << ", with those of " << named("OtherLines", Twine(Together.size() - 1))
      << " other " << plural(Together.size() - 1, "line");
  std::vector<uint32_t> Accesses;
  for (const SpilledLine &Other : Together)
    llvm::append_range(Accesses, Other.Accesses);
  if (!Accesses.empty())
    addPrice(W, priceInRegisters(C, Accesses));
  Out.push_back(std::move(W.finding()));
}

void gpuocc::findSpills(const Case &C, Findings &Out) {
  const ResourceUse &Use = C.Facts.Resources;
  if (Use.SpillLoadBytes == 0 && Use.SpillStoreBytes == 0)
    return;
  std::vector<SpilledLine> Lines = spilledLines(C);
  if (!Lines.empty()) {
    PressurePeak Peak = pressurePeak(C.Unspilled);
    // The cure is one for all: more registers. Prices of single lines would not
    // add up to what it brings.
    ArrayRef<SpilledLine> Shown =
        ArrayRef(Lines).take_front(PricingBudget::MaxPerRule);
    for (const SpilledLine &Line : Shown)
      findSpilledLine(C, Line,
                      &Line == Shown.begin() ? ArrayRef(Lines)
                                             : ArrayRef<SpilledLine>(),
                      Peak, Out);
  }
  // What the assembler spills elsewhere.
  SpilledBytes Placed = spilledBytes(C.Facts);
  uint64_t Stored =
      Use.SpillStoreBytes - std::min(Use.SpillStoreBytes, Placed.Stored);
  uint64_t Loaded =
      Use.SpillLoadBytes - std::min(Use.SpillLoadBytes, Placed.Loaded);
  if (Stored == 0 && Loaded == 0)
    return;
  FindingWriter W(RuleId::LocalMemory, kernelLocation(C.Facts));
  W << (Lines.empty() ? "registers are spilled: "
                      : "further registers are spilled: ")
    << named("SpillStoreBytes", Twine(Stored)) << " B are stored and "
    << named("SpillLoadBytes", Twine(Loaded))
    << " B loaded per thread in the code, with "
    << named("Registers", Twine(Use.RegistersPerThread)) << " "
    << plural(Use.RegistersPerThread, "register")
    << " per thread; allow more registers or shorten live ranges";
  Out.push_back(std::move(W.finding()));
}
