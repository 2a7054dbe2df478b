//===- Worksheet.cpp - Throughput bounds by resource ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Worksheet.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace gpuocc;
using namespace llvm;

void Worksheet::use(Resource R, std::string What, double CountPerWarp,
                    double CyclesEach) {
  if (!(CountPerWarp * CyclesEach > 0))
    return;
  for (BoundTerm &T : Terms[size_t(R)])
    if (T.What == What && T.CyclesEach == CyclesEach) {
      T.CountPerWarp += CountPerWarp;
      return;
    }
  Terms[size_t(R)].push_back({std::move(What), CountPerWarp, CyclesEach});
}

double Worksheet::cycles(Resource R) const {
  double Sum = 0;
  for (const BoundTerm &T : Terms[size_t(R)])
    Sum += T.cycles();
  return Sum;
}

std::vector<Bound> Worksheet::bounds() const {
  std::vector<Bound> Result;
  for (size_t I = 0; I != NumResources; ++I)
    if (!Terms[I].empty())
      Result.push_back({Resource(I), cycles(Resource(I)), Terms[I]});
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
