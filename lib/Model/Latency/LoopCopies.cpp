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
#include <algorithm>
#include <bit>
#include <cmath>
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

/// The operations of \p B that its loads' addresses are computed from, as a
/// flag for each.
static std::vector<bool> addressesOf(const KernelFacts &Facts,
                                     const BasicBlock &B,
                                     llvm::ArrayRef<uint32_t> Loads) {
  std::vector<bool> Leads(B.NumOps);
  auto Mark = [&](const Operand &O) {
    if (O.isValue() && O.Index >= B.FirstOp && O.Index < B.FirstOp + B.NumOps)
      Leads[O.Index - B.FirstOp] = true;
  };
  for (uint32_t I : Loads)
    Mark(Facts.Accesses[I].Base);
  for (uint32_t I = B.NumOps; I-- > 0;)
    if (Leads[I] && Facts.Operations[B.FirstOp + I].What != Semantics::Phi)
      for (const Operand &O : Facts.Operations[B.FirstOp + I].Operands)
        Mark(O);
  return Leads;
}

/// Registers in which a copy of \p B holds what it has loaded. An index goes
/// where the address was that it leads to, and that where the data come.
static unsigned dataRegisters(const KernelFacts &Facts, const BasicBlock &B,
                              llvm::ArrayRef<uint32_t> Loads,
                              const std::vector<bool> &IsOfAddress) {
  constexpr unsigned RegisterBytes = 4;
  unsigned Held = 0;
  for (uint32_t I : Loads)
    if (const MemoryAccess &A = Facts.Accesses[I];
        !IsOfAddress[A.Op - B.FirstOp])
      Held += (A.BytesPerLane + RegisterBytes - 1) / RegisterBytes;
  return Held;
}

/// Registers in which the loop of \p B carries what its loads' addresses are
/// computed from. What is the same for all lanes lies in uniform registers.
static unsigned pointerRegisters(const KernelFacts &Facts,
                                 const ExecutionProfile &Profile,
                                 const BasicBlock &B,
                                 llvm::ArrayRef<uint32_t> Loads,
                                 const std::vector<bool> &IsOfAddress) {
  constexpr unsigned PointerRegisters = 2;
  std::vector<bool> Uniform;
  if (assemblerRules(Facts.Architecture).HasUniformDatapath &&
      areAlikeInCopies(Facts, Profile, Loads))
    Uniform = uniformOperations(Facts);
  unsigned Held = 0;
  for (uint32_t I = 0; I != B.NumOps; ++I)
    if (IsOfAddress[I] &&
        Facts.Operations[B.FirstOp + I].What == Semantics::Phi &&
        (Uniform.empty() || !Uniform[B.FirstOp + I]))
      Held += PointerRegisters;
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

/// Copies of the body of loop \p L in a pass. What is left of a loop runs in
/// passes of half as many: three iterations of a loop that is unrolled by four
/// are a pass of two and one alone.
static unsigned copiesThatRun(const KernelFacts &Facts,
                              const ExecutionProfile &Profile, uint32_t L) {
  const unsigned Unrolled = std::max(1u, Facts.Loops[L].UnrolledBy);
  if (L >= Profile.Loops.size() || Profile.Loops[L].TripCount >= Unrolled)
    return Unrolled;
  return std::bit_floor(
      unsigned(std::max(1.0, std::round(Profile.Loops[L].TripCount))));
}

unsigned gpuocc::copiesOfBody(const KernelFacts &Facts,
                              const ExecutionProfile &Profile, uint32_t Block) {
  constexpr unsigned OtherRegisters = 8, AllRegisters = 250;
  const uint32_t L = Facts.Blocks[Block].Loop;
  if (Facts.isInIssueOrder() || L == NoIndex ||
      Facts.Loops[L].Header != Block || Facts.Loops[L].Blocks.size() != 1)
    return 1;
  const BasicBlock &B = Facts.Blocks[Block];
  const std::vector<uint32_t> Loads = loadsOf(Facts, B);
  const std::vector<bool> IsOfAddress = addressesOf(Facts, B, Loads);
  const unsigned Held = dataRegisters(Facts, B, Loads, IsOfAddress);
  const unsigned Taken =
      OtherRegisters + pointerRegisters(Facts, Profile, B, Loads, IsOfAddress);
  const unsigned Registers = Facts.Resources.RegistersPerThread;
  const unsigned Free =
      Registers >= AllRegisters ? 0 : Registers - std::min(Registers, Taken);
  const unsigned Unrolled = copiesThatRun(Facts, Profile, L);
  const unsigned Ahead =
      std::clamp(Held ? Free / Held : Unrolled, 1u, Unrolled);
  // The loads that do not fit issue when the first data has come: a pass has as
  // many waits as it takes batches.
  const unsigned Batches = (Unrolled + Ahead - 1) / Ahead;
  return std::clamp(Unrolled / Batches, 1u, MaxCopies);
}
