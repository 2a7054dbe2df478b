//===- LoadBurst.cpp - Loads that a block issues at once ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoadBurst.h"
#include "ThroughputBounds.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Model/Prediction.h"
#include <algorithm>

using namespace gpuocc;

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
  const double Launch = N.device().get(Quantity::WarpLaunch).valueOr(0);
  return (WarpsPerBlock - 1) * std::max(Launch, AddressUnit);
}

double gpuocc::loadBurstCycles(const KernelFacts &Facts,
                               const ExecutionProfile &Profile,
                               unsigned WarpsPerBlock, Numbers &N) {
  // Loads that are waiting each hold a register for what they bring.
  std::vector<double> Words(Facts.Blocks.size()), Loads(Facts.Blocks.size());
  for (const MemoryAccess &A : Facts.Accesses)
    if (isAwaited(A)) {
      Words[Facts.Operations[A.Op].Block] += (A.BytesPerLane + 3) / 4;
      ++Loads[Facts.Operations[A.Op].Block];
    }
  double Longest = 0;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
    if (Words[B] == 0 || Facts.Blocks[B].Loop != NoIndex)
      continue;
    double Registers = Facts.Resources.RegistersPerThread;
    double AtOnce = std::min(1.0, Registers / Words[B]);
    ExecutionProfile Only = Profile;
    for (size_t I = 0; I != Facts.Accesses.size(); ++I)
      if (!isAwaited(Facts.Accesses[I]) ||
          Facts.Operations[Facts.Accesses[I].Op].Block != B)
        Only.Accesses[I].RequestsPerWarp = 0;
    Prediction P;
    fillThroughputBounds(Facts, Only, WarpsPerBlock, N, P);
    for (const Bound &Row : P.Bounds)
      if (Row.What == Resource::L2)
        Longest = std::max(Longest, (WarpsPerBlock * AtOnce - 1 / Loads[B]) *
                                        Row.CyclesPerWarp);
  }
  return Longest;
}
