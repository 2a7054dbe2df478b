//===- RegisterPool.cpp - What warps take from their block ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterPool.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/Launch.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Warps get registers in multiples of this many per thread, and so does
/// setmaxnreg count them (PTX ISA 9.0).
static constexpr unsigned RegisterUnit = 8;

/// Shares of warps that differ by less are equal.
static constexpr double Rounding = 1e-6;

/// The executions of \p Op per warp; they are 0 for code that never runs.
static double executionsOf(const Operation &Op,
                           const ExecutionProfile &Profile) {
  return Op.Block < Profile.Blocks.size()
             ? Profile.Blocks[Op.Block].ExecutionsPerWarp
             : 0;
}

/// Did the assembler leave setmaxnreg out of the code? It does where nothing
/// fixes how many registers the kernel starts with.
static bool leavesPoolAlone(const ResourceUse &Resources) {
  constexpr StringRef SetMaxNRegIgnored = "C7508";
  return any_of(Resources.Advisories, [&](const AssemblerAdvisory &A) {
    return A.Code == SetMaxNRegIgnored;
  });
}

std::optional<RegisterPoolDeficit>
gpuocc::registerPoolDeficit(const KernelFacts &Facts,
                            const ExecutionProfile &Profile, const Launch &L) {
  if (Facts.Resources.IsEstimate || leavesPoolAlone(Facts.Resources) ||
      L.Block.Source.by() == GivenBy::Nobody)
    return std::nullopt;
  const unsigned Started =
      (Facts.Resources.RegistersPerThread + RegisterUnit - 1) / RegisterUnit *
      RegisterUnit;
  RegisterPoolDeficit Of;
  double Changed = 0;
  for (const Operation &Op : Facts.Operations) {
    if (Op.What != Semantics::TakeRegisters &&
        Op.What != Semantics::GiveRegisters)
      continue;
    const double Share = executionsOf(Op, Profile);
    // Of a loop, and of warps that change their number twice, the order counts.
    if (Op.Imm < 0 || Share > 1 + Rounding)
      return std::nullopt;
    Changed += Share;
    Of.Wanted += Share * double(Op.Imm);
    if (Op.What == Semantics::TakeRegisters && Share > 0)
      Of.Location = Op.Location;
  }
  if (Changed == 0 || Changed > 1 + Rounding)
    return std::nullopt;
  Of.Wanted += (1 - Changed) * Started;
  if (Of.Wanted <= Started * (1 + Rounding))
    return std::nullopt;
  for (const BranchProfile &B : Profile.Branches)
    if (B.Class == BranchClass::DataDependent)
      return std::nullopt;
  return Of;
}

std::optional<TensorMemoryExcess>
gpuocc::tensorMemoryExcess(const KernelFacts &Facts,
                           const ExecutionProfile &Profile) {
  TensorMemoryExcess Held;
  for (const Operation &Op : Facts.Operations) {
    if (executionsOf(Op, Profile) == 0)
      continue;
    if (Op.What == Semantics::FreeTensorMemory)
      Held.Columns = 0;
    if (Op.What != Semantics::AllocateTensorMemory || Op.Imm < 0)
      continue;
    Held.Columns += Op.Imm;
    Held.Location = Op.Location;
    if (Held.Columns > TensorMemoryColumns)
      return Held;
  }
  return std::nullopt;
}
