//===- LoopCopies.cpp - Iterations that are scheduled as one --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/LoopCopies.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <vector>

using namespace gpuocc;

/// Bounds the work for loops that are unrolled altogether.
static constexpr unsigned MaxCopies = 8;

/// Loads of \p B, indices in KernelFacts::Accesses.
static std::vector<uint32_t> loadsOf(const KernelFacts &Facts,
                                     const BasicBlock &B) {
  std::vector<uint32_t> Loads;
  for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
    if (uint32_t Access = Facts.Operations[I].Access;
        Access != NoIndex && Facts.Accesses[Access].Kind == AccessKind::Load)
      Loads.push_back(Access);
  return Loads;
}

/// True where of each of \p Loads all requests find their sectors in L1, or
/// none does. Of others a mean wait is known, and copies would each wait for it
/// where they wait together for what one of them brings.
static bool areAlikeInCopies(const ExecutionProfile &Profile,
                             llvm::ArrayRef<uint32_t> Loads) {
  constexpr double Few = 0.01;
  return llvm::all_of(Loads, [&](uint32_t I) {
    const double Hits = Profile.Accesses[I].L1HitFraction;
    return Hits <= Few || Hits >= 1 - Few;
  });
}

/// Registers of the loads of \p B, and of their addresses. An address that is
/// the same for all lanes lies in a uniform register until its load issues.
static unsigned loadRegisters(const KernelFacts &Facts,
                              const ExecutionProfile &Profile,
                              const BasicBlock &B) {
  constexpr unsigned AddressRegisters = 2, RegisterBytes = 4;
  const std::vector<uint32_t> Loads = loadsOf(Facts, B);
  std::vector<bool> Uniform;
  if (assemblerRules(Facts.Architecture).HasUniformDatapath &&
      areAlikeInCopies(Profile, Loads))
    Uniform = uniformOperations(Facts);
  unsigned Held = 0;
  for (uint32_t I : Loads) {
    const MemoryAccess &A = Facts.Accesses[I];
    const bool IsInUniform =
        !Uniform.empty() && (!A.Base.isValue() || Uniform[A.Base.Index]);
    Held += (A.BytesPerLane + RegisterBytes - 1) / RegisterBytes +
            (IsInUniform ? 0 : AddressRegisters);
  }
  return Held;
}

unsigned gpuocc::copiesOfBody(const KernelFacts &Facts,
                              const ExecutionProfile &Profile, uint32_t Block) {
  constexpr unsigned OtherRegisters = 8, AllRegisters = 250;
  const uint32_t L = Facts.Blocks[Block].Loop;
  if (Facts.isInIssueOrder() || L == NoIndex ||
      Facts.Loops[L].Header != Block || Facts.Loops[L].Blocks.size() != 1)
    return 1;
  const unsigned Held = loadRegisters(Facts, Profile, Facts.Blocks[Block]);
  const unsigned Registers = Facts.Resources.RegistersPerThread;
  const unsigned Free = Registers >= AllRegisters
                            ? 0
                            : Registers - std::min(Registers, OtherRegisters);
  return std::max(1u, std::min({Facts.Loops[L].UnrolledBy, MaxCopies,
                                Held ? Free / Held : MaxCopies}));
}
