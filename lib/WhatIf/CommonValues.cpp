//===- CommonValues.cpp - What all threads compute alike ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/WhatIf/CommonValues.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/WhatIf/ChangeCode.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace gpuocc;
using namespace llvm;

/// True for what not all threads of a grid have.
static bool differsBetweenThreads(SpecialReg R) {
  switch (R) {
  case SpecialReg::None:
  case SpecialReg::NTidX:
  case SpecialReg::NTidY:
  case SpecialReg::NTidZ:
  case SpecialReg::NCtaIdX:
  case SpecialReg::NCtaIdY:
  case SpecialReg::NCtaIdZ:
  case SpecialReg::DynamicSharedBytes:
  case SpecialReg::WarpSize:
    return false;
  default:
    return true;
  }
}

static bool isExecuted(const KernelVariant &V, const Operation &Op) {
  return V.Profile.Blocks[Op.Block].ExecutionsPerWarp > 0;
}

/// For each operation, true where all threads of the grid have its result, and
/// no thread or block chooses another one. What is never executed, such as the
/// way of a function for large numbers, decides nothing.
static std::vector<bool> sharedByGrid(const KernelVariant &V) {
  const KernelFacts &Facts = V.Facts;
  std::vector<bool> Is(Facts.Operations.size());
  for (uint32_t I = 0; I != Is.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    Is[I] = !isExecuted(V, Op) ||
            (!differsBetweenThreads(Op.SReg) && Op.Access == NoIndex &&
             !asksOtherLanes(Op.What));
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    std::vector<bool> IsMeeting(Facts.Blocks.size());
    for (const gpuocc::Branch &B : Facts.Branches)
      if (const uint32_t Meet = Facts.Blocks[B.Block].PostDominator;
          Meet != NoIndex && B.Condition.isValue() && !Is[B.Condition.Index])
        IsMeeting[Meet] = true;
    for (uint32_t I = 0; I != Is.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      const bool IsChosen = Op.What == Semantics::Phi && IsMeeting[Op.Block];
      const bool Stays =
          !IsChosen && all_of(Op.Operands, [&](const Operand &O) {
            return !O.isValue() || Is[O.Index];
          });
      if (!Is[I] || Stays || !isExecuted(V, Op))
        continue;
      Is[I] = false;
      Changed = true;
    }
  }
  return Is;
}

/// Arithmetic that costs more than a load of a constant may: on floats, and
/// divisions.
static bool isArithmetic(const Operation &Op) {
  switch (Op.What) {
  case Semantics::FAdd:
  case Semantics::FSub:
  case Semantics::FMul:
  case Semantics::FFma:
  case Semantics::FDiv:
  case Semantics::FRcp:
  case Semantics::FSqrt:
  case Semantics::FRsqrt:
  case Semantics::FEx2:
  case Semantics::FLg2:
  case Semantics::FSin:
  case Semantics::FCos:
  case Semantics::FMin:
  case Semantics::FMax:
  case Semantics::FFromS:
  case Semantics::FFromU:
  case Semantics::FToS:
  case Semantics::FToU:
  case Semantics::FConvert:
    return true;
  case Semantics::DivS:
  case Semantics::DivU:
  case Semantics::RemS:
  case Semantics::RemU:
    // Others became shifts and multiplications.
    return Op.Emits.size() > 1;
  default:
    return false;
  }
}

CommonValues gpuocc::commonValues(const KernelVariant &V) {
  const KernelFacts &Facts = V.Facts;
  CommonValues Out;
  const std::vector<bool> Shared = sharedByGrid(V);
  std::vector<bool> IsNeeded(Facts.Operations.size());
  auto Need = [&](const Operand &O) {
    if (O.isValue())
      IsNeeded[O.Index] = true;
  };
  for (uint32_t I = 0; I != Facts.Operations.size(); ++I) {
    const Operation &Op = Facts.Operations[I];
    if (Shared[I] && isExecuted(V, Op) && isArithmetic(Op))
      Out.Ops.push_back(I);
    if (!Shared[I])
      for_each(Op.Operands, Need);
  }
  for (const MemoryAccess &A : Facts.Accesses)
    for_each(A.Stored, Need);
  for (uint32_t I : Out.Ops)
    if (IsNeeded[I])
      Out.Results.push_back(I);
  return Out;
}

Change gpuocc::lookUp(CommonValues Values) {
  return makeChange(
      ChangeKind::LookUp, [Values = std::move(Values)](KernelVariant &V) {
        dropOperations(V, Values.Ops);
        for (uint32_t I : Values.Results)
          if (V.Facts.Blocks[V.Facts.Operations[I].Block].Loop != NoIndex)
            V.Facts.Operations[I].Emits.push_back({InstClass::Ldc, 1, 1});
        dropEmptySides(V);
      });
}
