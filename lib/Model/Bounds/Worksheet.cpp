//===- Worksheet.cpp - Throughput bounds by resource ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Worksheet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <limits>

using namespace gpuocc;
using namespace llvm;

std::string UseLabel::str() const {
  if (!Of)
    return Text.str();
  std::string What =
      (memorySpaceText(Of->Space) + " " + accessKindText(Of->Kind)).str();
  if (Of->Line)
    What += " at line " + std::to_string(Of->Line);
  return What + Text.str();
}

/// Of what tells the terms of a worksheet apart.
static uint64_t hashOf(Resource R, const UseLabel &What, double CyclesEach) {
  const uint64_t Of = What.Of ? uint64_t(What.Of->Line) << 16 |
                                    uint64_t(What.Of->Space) << 8 |
                                    uint64_t(What.Of->Kind)
                              : ~0ull;
  // A map keeps the two largest keys for itself.
  return uint64_t(
             hash_combine(R, Of, What.Text, bit_cast<uint64_t>(CyclesEach))) >>
         1;
}

void Worksheet::use(Resource R, const UseLabel &What, double CountPerWarp,
                    double CyclesEach) {
  if (!(CountPerWarp * CyclesEach > 0))
    return;
  std::vector<Term> &OfR = Terms[size_t(R)];
  SmallVector<uint32_t, 1> &Alike = ByHash[hashOf(R, What, CyclesEach)];
  for (uint32_t I : Alike)
    if (I < OfR.size() && OfR[I].What == What &&
        OfR[I].CyclesEach == CyclesEach) {
      OfR[I].CountPerWarp += CountPerWarp;
      return;
    }
  Alike.push_back(uint32_t(OfR.size()));
  OfR.push_back({What, CountPerWarp, CyclesEach});
}

double Worksheet::cycles(Resource R) const {
  double Sum = 0;
  for (const Term &T : Terms[size_t(R)])
    Sum += T.cycles();
  return Sum;
}

std::vector<Bound> Worksheet::bounds(bool WithTerms) const {
  std::vector<Bound> Result;
  for (size_t I = 0; I != NumResources; ++I) {
    if (Terms[I].empty())
      continue;
    Result.push_back({Resource(I), cycles(Resource(I)), {}});
    if (WithTerms)
      for (const Term &T : Terms[I])
        Result.back().Terms.push_back(
            {T.What.str(), T.CountPerWarp, T.CyclesEach});
  }
  llvm::sort(Result, [](const Bound &A, const Bound &B) {
    return A.CyclesPerWarp != B.CyclesPerWarp
               ? A.CyclesPerWarp > B.CyclesPerWarp
               : A.What < B.What;
  });
  return Result;
}

double gpuocc::warpThroughputBound(ArrayRef<Bound> Bounds) {
  double Worst = 0;
  for (const Bound &B : Bounds)
    Worst = std::max(Worst, B.CyclesPerWarp);
  return Worst > 0 ? 1 / Worst : std::numeric_limits<double>::infinity();
}
