//===- ChainLines.cpp - The dependency chain by source line ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChainLines.h"
#include "gpuocc/Report/Selection.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

static SourcePlace placeAt(const KernelFacts &Facts, uint32_t Location) {
  return Location < Facts.Locations.size()
             ? placeToShow(Facts.Locations[Location])
             : SourcePlace();
}

static ChainPlace placeOfOp(const KernelFacts &Facts, uint32_t Op) {
  if (Op >= Facts.Operations.size())
    return {};
  const Operation &O = Facts.Operations[Op];
  return {placeAt(Facts, O.Location), O.Opcode};
}

namespace {

/// What the links of one row have in common: lines, or operations where these
/// are not known.
using LineKey = std::tuple<std::string, unsigned, std::string>;

} // namespace

static LineKey keyOf(const ChainPlace &P) {
  return {P.Place.File, P.Place.Line,
          P.Place.isValid() ? std::string() : P.Operation};
}

std::vector<ChainLine> gpuocc::chainLines(const KernelReport &K) {
  std::vector<ChainLine> Lines;
  std::vector<double> Longest;
  std::map<std::pair<LineKey, LineKey>, size_t> IndexOf;
  for (const ChainLink &Link : K.InParallel.Chain) {
    ChainLine Here = {placeOfOp(K.Facts, Link.Producer),
                      placeOfOp(K.Facts, Link.Consumer), Link.Cycles};
    auto [At, IsNew] = IndexOf.try_emplace(
        {keyOf(Here.Producer), keyOf(Here.Consumer)}, Lines.size());
    if (IsNew) {
      Lines.push_back(std::move(Here));
      Longest.push_back(Link.Cycles);
      continue;
    }
    ChainLine &Same = Lines[At->second];
    Here.Cycles += Same.Cycles;
    if (double &Most = Longest[At->second]; Link.Cycles > Most) {
      Most = Link.Cycles;
      Same = std::move(Here);
    } else {
      Same.Cycles = Here.Cycles;
    }
  }
  return Lines;
}

SourcePlace gpuocc::placeOfLoop(const KernelReport &K, uint32_t Loop) {
  return Loop < K.Facts.Loops.size()
             ? placeAt(K.Facts, K.Facts.Loops[Loop].Location)
             : SourcePlace();
}
