//===- Uniformity.cpp - Values that all lanes share -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/Uniformity.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static bool isUniformRegister(SpecialReg R) {
  switch (R) {
  case SpecialReg::NTidX:
  case SpecialReg::NTidY:
  case SpecialReg::NTidZ:
  case SpecialReg::CtaIdX:
  case SpecialReg::CtaIdY:
  case SpecialReg::CtaIdZ:
  case SpecialReg::NCtaIdX:
  case SpecialReg::NCtaIdY:
  case SpecialReg::NCtaIdZ:
  case SpecialReg::DynamicSharedBytes:
  case SpecialReg::WarpSize:
    return true;
  case SpecialReg::None:
  case SpecialReg::TidX:
  case SpecialReg::TidY:
  case SpecialReg::TidZ:
  case SpecialReg::LaneId:
  case SpecialReg::WarpId:
  case SpecialReg::NWarpId:
  case SpecialReg::SmId:
  case SpecialReg::Clock:
  case SpecialReg::GlobalTimer:
  case SpecialReg::LaneMaskEq:
  case SpecialReg::LaneMaskLt:
  case SpecialReg::LaneMaskLe:
  case SpecialReg::LaneMaskGt:
  case SpecialReg::LaneMaskGe:
  case SpecialReg::Other:
    return false;
  }
  llvm_unreachable("all special registers are handled");
}

/// True for an operation whose result differs between lanes although its
/// operands do not.
static bool isDivergentSource(const KernelFacts &Facts, const Operation &Op) {
  if (Op.What == Semantics::SReg)
    return !isUniformRegister(Op.SReg);
  if (Op.What == Semantics::Shuffle)
    return true;
  if (Op.Access != NoIndex)
    return Facts.Accesses[Op.Access].Space != MemorySpace::Constant ||
           Facts.Accesses[Op.Access].Kind != AccessKind::Load;
  return false;
}

/// Blocks where lanes that parted meet again: values chosen there differ.
static std::vector<bool> joinsOfDivergence(const KernelFacts &Facts,
                                           const std::vector<bool> &Uniform) {
  std::vector<bool> Joins(Facts.Blocks.size());
  for (const gpuocc::Branch &B : Facts.Branches) {
    if (!B.Condition.isValue() || Uniform[B.Condition.Index])
      continue;
    uint32_t Join = Facts.Blocks[B.Block].PostDominator;
    if (Join != NoIndex)
      Joins[Join] = true;
  }
  return Joins;
}

std::vector<bool> gpuocc::uniformOperations(const KernelFacts &Facts) {
  std::vector<bool> Uniform(Facts.Operations.size(), true);
  for (size_t I = 0; I != Facts.Operations.size(); ++I)
    Uniform[I] = !isDivergentSource(Facts, Facts.Operations[I]);
  for (bool Changed = true; Changed;) {
    Changed = false;
    std::vector<bool> Joins = joinsOfDivergence(Facts, Uniform);
    for (size_t I = 0; I != Facts.Operations.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      if (!Uniform[I])
        continue;
      bool Stays = all_of(Op.Operands, [&](const Operand &O) {
        return !O.isValue() || Uniform[O.Index];
      });
      if (Op.What == Semantics::Phi && Joins[Op.Block])
        Stays = false;
      if (Stays)
        continue;
      Uniform[I] = false;
      Changed = true;
    }
  }
  return Uniform;
}
