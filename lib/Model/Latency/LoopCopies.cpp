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
#include "gpuocc/Kernel/MemoryOrder.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"
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

/// True where the code says which lines the load \p Access reaches in one
/// iteration after the other, and where nothing that is written in between
/// holds it back: the loads of a pass wait together for what one of them
/// brings.
static bool goesOnEvenly(const KernelFacts &Facts, uint32_t Access,
                         const AccessProfile &P) {
  const MemoryAccess &A = Facts.Accesses[Access];
  if (A.Kind != AccessKind::Load || P.DrawnAddresses ||
      P.Exact != Exactness::Exact)
    return false;
  const BasicBlock &B = Facts.Blocks[Facts.Operations[A.Op].Block];
  return llvm::none_of(
      llvm::ArrayRef(Facts.Operations).slice(B.FirstOp, B.NumOps),
      [&](const Operation &Op) {
        return Op.Access != NoIndex &&
               mayConflict(Facts.Accesses[Op.Access], A);
      });
}

/// True where of each of \p Loads all requests find their sectors in L1, or
/// none does, or all of a pass wait for the same. Of others a mean wait is
/// known, and copies would each wait for it.
static bool areAlikeInCopies(const KernelFacts &Facts,
                             const ExecutionProfile &Profile,
                             llvm::ArrayRef<uint32_t> Loads) {
  constexpr double Few = 0.01;
  return llvm::all_of(Loads, [&](uint32_t I) {
    const double Hits = Profile.Accesses[I].L1HitFraction;
    return Hits <= Few || Hits >= 1 - Few ||
           goesOnEvenly(Facts, I, Profile.Accesses[I]);
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
      areAlikeInCopies(Facts, Profile, Loads))
    Uniform = uniformOperations(Facts);
  unsigned Held = 0;
  llvm::SmallSet<uint32_t, 8> Bases;
  for (uint32_t I : Loads) {
    const MemoryAccess &A = Facts.Accesses[I];
    const bool IsInUniform =
        !Uniform.empty() && (!A.Base.isValue() || Uniform[A.Base.Index]);
    // Loads at offsets from one address share it.
    const bool IsShared =
        A.Base.isValue() && !Bases.insert(A.Base.Index).second;
    Held += (A.BytesPerLane + RegisterBytes - 1) / RegisterBytes +
            (IsInUniform || IsShared ? 0 : AddressRegisters);
  }
  return Held;
}

AccessProfile gpuocc::inPassOf(unsigned Copies, const KernelFacts &Facts,
                               uint32_t Access, const AccessProfile &P) {
  AccessProfile Out = P;
  if (Copies <= 1 || !goesOnEvenly(Facts, Access, P))
    return Out;
  const double OfDram = P.L1WaitFraction * (1 - P.FetchedAlongFraction);
  Out.L1WaitFraction = std::min(1.0, Copies * P.L1WaitFraction);
  if (Out.L1WaitFraction > 0)
    Out.FetchedAlongFraction =
        1 - std::min(1.0, Copies * OfDram / Out.L1WaitFraction);
  return Out;
}

std::optional<int64_t> gpuocc::stepOf(const KernelFacts &Facts,
                                      const MemoryAccess &A) {
  if (!A.Base.isValue() ||
      Facts.Operations[A.Base.Index].What != Semantics::Phi)
    return std::nullopt;
  for (const Operand &O : Facts.Operations[A.Base.Index].Operands) {
    if (!O.isValue())
      continue;
    const Operation &Next = Facts.Operations[O.Index];
    if (Next.What == Semantics::Add && Next.Operands.size() == 2 &&
        Next.Operands[0] == A.Base && Next.Operands[1].isImmediate())
      return Next.Operands[1].Imm;
  }
  return std::nullopt;
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
  const unsigned Unrolled = std::max(1u, Facts.Loops[L].UnrolledBy);
  const unsigned Ahead =
      std::clamp(Held ? Free / Held : Unrolled, 1u, Unrolled);
  // The loads that do not fit issue when the first data has come: a pass has as
  // many waits as it takes batches.
  const unsigned Batches = (Unrolled + Ahead - 1) / Ahead;
  return std::clamp(Unrolled / Batches, 1u, MaxCopies);
}
