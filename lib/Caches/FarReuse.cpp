//===- FarReuse.cpp - What warps ask for again much later -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FarReuse.h"
#include "llvm/ADT/DenseMap.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Iterations of each loop, and evaluated operations, of the walk.
static constexpr unsigned Iterations = 16;
static constexpr uint64_t LeastSteps = 2000, ShareOfSteps = 8;

/// Lines that follow each other are asked for sector by sector: what a warp
/// asks for again before it has asked for so much else comes from L1.
static constexpr double LinesOfL1 = 32;

FarReuse::FarReuse(const WalkedLaunch &L, Dim3 Block, unsigned Warp)
    : OfAccess(L.facts().Accesses.size()) {
  const MemoryGeometry &G = L.geometry();
  const WarpTrace Trace = WarpTraces(L).trace(
      Block, Warp, Iterations,
      std::max<uint64_t>(LeastSteps, L.options().MaxSteps / ShareOfSteps),
      /*Key=*/1);
  const double AtOnce = LinesOfL1 * G.LineBytes;
  DenseMap<uint64_t, double> LastAsked;
  double Now = 0;
  for (const TraceEvent &E : Trace.Events) {
    if (E.IsLocal)
      continue;
    for (const LineTouch &T : ArrayRef(Trace.Touches).slice(E.First, E.Count)) {
      for (unsigned Sector = 0; Sector < 8; ++Sector) {
        if (!(T.Sectors >> Sector & 1))
          continue;
        auto [It, IsNew] = LastAsked.try_emplace(8 * T.Line + Sector, Now);
        const double Distance = Now - It->second;
        if (!IsNew && Distance < AtOnce)
          continue;
        const double Bytes = E.Weight * G.SectorBytes;
        Asked &A = OfAccess[E.Access];
        if (IsNew)
          A.First += Bytes;
        else
          A.Later.push_back({Distance, Bytes});
        Now += Bytes;
        It->second = Now;
      }
    }
  }
}

double FarReuse::shareLost(size_t Access,
                           function_ref<double(double Distance)> Lost) const {
  const Asked &Of = OfAccess[Access];
  double All = Of.First, Gone = 0;
  for (const auto &[Distance, Bytes] : Of.Later) {
    All += Bytes;
    Gone += Bytes * Lost(Distance);
  }
  return All > 0 ? Gone / All : 0;
}
