//===- LoopCopies.cpp - Iterations that are scheduled as one --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/LoopCopies.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include <algorithm>

using namespace gpuocc;

/// Bounds the work for loops that are unrolled altogether.
static constexpr unsigned MaxCopies = 8;

/// Registers of the loads of \p B, and of their addresses.
static unsigned loadRegisters(const KernelFacts &Facts, const BasicBlock &B) {
  constexpr unsigned AddressRegisters = 2, RegisterBytes = 4;
  unsigned Held = 0;
  for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
    if (uint32_t Access = Facts.Operations[I].Access;
        Access != NoIndex && Facts.Accesses[Access].Kind == AccessKind::Load)
      Held += (Facts.Accesses[Access].BytesPerLane + RegisterBytes - 1) /
                  RegisterBytes +
              AddressRegisters;
  return Held;
}

unsigned gpuocc::copiesOfBody(const KernelFacts &Facts, uint32_t Block) {
  constexpr unsigned OtherRegisters = 8, AllRegisters = 250;
  const uint32_t L = Facts.Blocks[Block].Loop;
  if (Facts.isInIssueOrder() || L == NoIndex ||
      Facts.Loops[L].Header != Block || Facts.Loops[L].Blocks.size() != 1)
    return 1;
  const unsigned Held = loadRegisters(Facts, Facts.Blocks[Block]);
  const unsigned Registers = Facts.Resources.RegistersPerThread;
  const unsigned Free = Registers >= AllRegisters
                            ? 0
                            : Registers - std::min(Registers, OtherRegisters);
  return std::max(1u, std::min({Facts.Loops[L].UnrolledBy, MaxCopies,
                                Held ? Free / Held : MaxCopies}));
}
