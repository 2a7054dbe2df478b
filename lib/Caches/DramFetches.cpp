//===- DramFetches.cpp - What L2 was made to fetch ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DramFetches.h"
#include "gpuocc/Lanes/ProfileLanes.h"
#include <algorithm>

using namespace gpuocc;

DramFetches::DramFetches(const MemoryGeometry &G)
    : SectorsPerFetch(std::clamp(G.DramFetchBytes / G.SectorBytes, 1u,
                                 MaxSectorsPerLine)) {}

bool DramFetches::ask(uint64_t Line, uint8_t Sectors, uint64_t Turn,
                      unsigned Together) {
  Fetched &F = Lines[Line];
  bool All = true;
  for (unsigned First = 0; First < MaxSectorsPerLine;
       First += SectorsPerFetch) {
    unsigned Mask = ((1u << SectorsPerFetch) - 1) << First;
    if (!(Sectors & Mask))
      continue;
    if (!(F.Known & (1u << First))) {
      F.Known |= uint8_t(1u << First);
      F.At[First] = uint32_t(Turn);
      All = false;
    } else {
      All &= !areTogether(uint32_t(Turn), F.At[First], Together);
    }
  }
  return F.LastWasThere = All;
}

bool DramFetches::lastWasThere(uint64_t Line) const {
  auto It = Lines.find(Line);
  return It != Lines.end() && It->second.LastWasThere;
}
