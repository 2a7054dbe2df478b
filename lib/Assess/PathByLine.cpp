//===- PathByLine.cpp - The longest path by source line -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathByLine.h"
#include "gpuocc/Report/Selection.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

std::vector<PathLine>
gpuocc::pathByLine(const KernelFacts &Facts, const LatencyBound &L,
                   function_ref<bool(const LatencyStep &)> Wanted) {
  std::map<std::pair<std::string, unsigned>, PathLine> Lines;
  for (const LatencyStep &Step : L.Path) {
    if (!Wanted(Step))
      continue;
    uint32_t Location = Step.Op < Facts.Operations.size()
                            ? Facts.Operations[Step.Op].Location
                            : NoIndex;
    SourcePlace Place;
    if (Location < Facts.Locations.size())
      Place = placeToShow(Facts.Locations[Location]);
    PathLine &Line = Lines[{Place.File, Place.Line}];
    Line.Cycles += Step.CyclesTotal;
    if (Line.Op != NoIndex && Step.CyclesTotal <= Line.CyclesOfStep)
      continue;
    Line.Place = Place;
    Line.Location = Location;
    Line.Why = Step.Why;
    Line.Op = Step.Op;
    Line.CyclesOfStep = Step.CyclesTotal;
  }
  std::vector<PathLine> Sorted;
  for (auto &[Key, Line] : Lines)
    if (Line.Cycles > 0)
      Sorted.push_back(std::move(Line));
  llvm::sort(Sorted, [](const PathLine &A, const PathLine &B) {
    return std::tie(B.Cycles, A.Place.File, A.Place.Line) <
           std::tie(A.Cycles, B.Place.File, B.Place.Line);
  });
  return Sorted;
}
