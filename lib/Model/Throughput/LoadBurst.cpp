//===- LoadBurst.cpp - Loads that a block issues at once ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Throughput/LoadBurst.h"
#include "Bounds/AccessSheet.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// True for what a warp waits for beyond L1.
static bool isAwaited(const MemoryAccess &A) {
  return A.Kind == AccessKind::Load &&
         (A.Space == MemorySpace::Global || A.Space == MemorySpace::Generic);
}

double gpuocc::startSpreadCycles(const KernelFacts &Facts,
                                 const ExecutionProfile &Profile,
                                 unsigned WarpsPerBlock, Numbers &N) {
  double AddressUnit = 0;
  for (const Operation &Op : Facts.Operations) {
    if (Facts.Blocks[Op.Block].Loop != NoIndex)
      continue;
    for (const Emission &E : Op.Emits)
      if (N.pipe(E.Class) == Resource::Adu)
        AddressUnit += Profile.Blocks[Op.Block].ExecutionsPerWarp * E.Count *
                       N.pipeCycles(E.Class);
  }
  return (WarpsPerBlock - 1) * AddressUnit;
}

/// Cycles of L2 for the accesses \p Indices of a warp, without others.
static double l2Cycles(const KernelFacts &Facts,
                       const ExecutionProfile &Profile,
                       ArrayRef<uint32_t> Indices, Numbers &N) {
  Worksheet Sheet;
  L2Sides Sides;
  Prediction Traffic;
  for (uint32_t I : Indices)
    addAccess(Facts, I, Profile, N, Sheet, Sides, Traffic);
  return Sheet.cycles(Resource::L2);
}

double gpuocc::loadBurstCycles(const KernelFacts &Facts,
                               const ExecutionProfile &Profile,
                               unsigned WarpsPerBlock, Numbers &N) {
  // Outside of loops, by block. Loads that are waiting each hold a register for
  // what they bring.
  std::vector<std::vector<uint32_t>> LoadsOf(Facts.Blocks.size());
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    const uint32_t Block = Facts.Operations[Facts.Accesses[I].Op].Block;
    if (isAwaited(Facts.Accesses[I]) && Facts.Blocks[Block].Loop == NoIndex)
      LoadsOf[Block].push_back(I);
  }
  double Longest = 0;
  for (const std::vector<uint32_t> &Loads : LoadsOf) {
    double Words = 0;
    for (uint32_t I : Loads)
      Words += (Facts.Accesses[I].BytesPerLane + 3) / 4;
    if (Words == 0)
      continue;
    double Registers = Facts.Resources.RegistersPerThread;
    double AtOnce = std::min(1.0, Registers / Words);
    Longest = std::max(Longest, (WarpsPerBlock * AtOnce - 1.0 / Loads.size()) *
                                    l2Cycles(Facts, Profile, Loads, N));
  }
  return Longest;
}
