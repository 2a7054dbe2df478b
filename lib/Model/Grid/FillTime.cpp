//===- FillTime.cpp - While the bottleneck has nothing to do yet ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Grid/FillTime.h"
#include "Numbers/Numbers.h"
#include "Numbers/QueuedCalls.h"
#include "Numbers/WarpTraffic.h"
#include <algorithm>

using namespace gpuocc;

namespace {

/// How much of a unit one execution of each operation uses, in any measure.
class UnitUse {
public:
  UnitUse(const KernelFacts &Facts, const ExecutionProfile &Profile,
          const WarpLatency &Warp, Resource Unit, Numbers &N)
      : Facts(Facts), Profile(Profile), Warp(Warp), Unit(Unit), N(N) {}

  double ofOne(uint32_t Index) const {
    const Operation &Op = Facts.Operations[Index];
    if (Unit == Resource::Issue)
      return Warp.issueCycles(Index);
    if (Op.Access != NoIndex)
      if (double Use =
              ofAccess(Facts.Accesses[Op.Access], Profile.Accesses[Op.Access]))
        return Use;
    double Cycles = 0;
    for (const Emission &E : Op.Emits)
      if (N.pipe(E.Class) == Unit)
        Cycles += E.Count * N.pipeCycles(E.Class);
    return Cycles;
  }

  double executions(uint32_t Index) const {
    return Profile.Blocks[Facts.Operations[Index].Block].ExecutionsPerWarp;
  }

private:
  const KernelFacts &Facts;
  const ExecutionProfile &Profile;
  const WarpLatency &Warp;
  Resource Unit;
  Numbers &N;

  double ofAccess(const MemoryAccess &A, const AccessProfile &P) const {
    double Active = P.ExecutionsPerWarp > 0
                        ? std::min(1.0, P.RequestsPerWarp / P.ExecutionsPerWarp)
                        : 1;
    switch (Unit) {
    case Resource::Shared:
    case Resource::L1:
      // One data stage.
      return A.Space == MemorySpace::Shared || isCached(A.Space)
                 ? Active * std::max(1.0, P.WavefrontsPerRequest)
                 : 0;
    case Resource::L2:
    case Resource::Dram: {
      AccessTraffic T = accessTraffic(A, P, N.sectorBytes());
      return Active * (Unit == Resource::L2
                           ? T.L2ReadBytes + T.L2WriteBytes
                           : T.DramReadBytes + T.DramWriteBytes);
    }
    case Resource::Host: {
      AccessTraffic T = accessTraffic(A, P, N.sectorBytes());
      return Active * (T.HostReadBytes + T.HostWriteBytes);
    }
    default:
      return 0;
    }
  }
};

} // namespace

/// Cycles of the whole chip, as one SM sees them, for which the calls of a warp
/// that goes round each loop once queue; and all of its calls.
static std::pair<double, double> queuedCycles(const KernelFacts &Facts,
                                              const ExecutionProfile &Profile,
                                              Numbers &N) {
  double OfPass = 0, All = 0;
  for (const Operation &Op : Facts.Operations) {
    if (Op.Queued.empty())
      continue;
    const BlockProfile &Block = Profile.Blocks[Op.Block];
    const double Cycles = N.smCount() * queueCycles(Op, Block, N);
    OfPass += std::min(1.0, Block.ExecutionsPerWarp) * Cycles;
    All += Block.ExecutionsPerWarp * Cycles;
  }
  return {OfPass, All};
}

FillTime gpuocc::fillTime(const KernelFacts &Facts,
                          const ExecutionProfile &Profile,
                          const WarpLatency &Warp, const Prediction &P,
                          Numbers &N) {
  FillTime Fill;
  if (P.Bounds.empty())
    return Fill;
  const Bound &Bottleneck = P.Bounds.front();
  Fill.IsShared = Bottleneck.What == Resource::L2 ||
                  Bottleneck.What == Resource::Dram ||
                  Bottleneck.What == Resource::Host;
  const WarpLatency::OnePass Pass = Warp.onePass();
  if (Bottleneck.What == Resource::Launch) {
    // Blocks start from the first cycle; the last one has its life ahead.
    Fill.OutsideCycles = Pass.Cycles;
    Fill.BusyCyclesPerPass = Bottleneck.CyclesPerWarp;
    return Fill;
  }
  if (const auto [Queued, All] = queuedCycles(Facts, Profile, N);
      Bottleneck.What == Resource::L2 && All > Bottleneck.CyclesPerWarp / 2) {
    // Half of a call lies before and behind its turn in the queue. H200, printf
    // of 2 to 64 warps with 1 and 32 lanes: 17,000 to 36,000 cycles beside the
    // turns of all, 20,000 to 23,000 here (one warp alone: 41,100 and 45,700).
    Fill.OutsideCycles = Pass.Cycles / 2;
    Fill.BusyCyclesPerPass = Queued;
    Fill.CyclesOfFirst = Queued / N.smCount();
    return Fill;
  }
  const UnitUse Use(Facts, Profile, Warp, Bottleneck.What, N);
  double All = 0, OfPass = 0;
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    double One = Use.ofOne(I);
    All += Use.executions(I) * One;
    OfPass += std::min(1.0, Use.executions(I)) * One;
  }
  if (All <= 0)
    return Fill;
  Fill.BusyCyclesPerPass = Bottleneck.CyclesPerWarp * OfPass / All;

  // Stores are not waited for; where there are loads, they have begun when the
  // first loads return.
  auto IsStore = [&](uint32_t I) {
    uint32_t Access = Facts.Operations[I].Access;
    return Access != NoIndex &&
           Facts.Accesses[Access].Kind == AccessKind::Store;
  };
  for (bool Stores : {false, true}) {
    double First = Pass.Cycles, Last = -1;
    // What takes a small part of the unit's time does not keep it busy.
    constexpr double SmallPart = 0.05;
    for (uint32_t I = 0; I != Facts.Operations.size(); ++I)
      if (Pass.IssueCycle[I] >= 0 && IsStore(I) == Stores &&
          std::min(1.0, Use.executions(I)) * Use.ofOne(I) >=
              SmallPart * OfPass) {
        First = std::min(First, Pass.IssueCycle[I]);
        Last = std::max(Last, Pass.IssueCycle[I]);
      }
    if (Last < 0)
      continue;
    Fill.OutsideCycles = std::max(0.0, First + Pass.Cycles - Last);
    break;
  }
  return Fill;
}
