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

namespace {

/// Threads that share a value.
enum class Sharing { Block, Warp };

} // namespace

static bool isUniformRegister(SpecialReg R, Sharing By) {
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
  case SpecialReg::ClusterCtaIdX:
  case SpecialReg::ClusterCtaIdY:
  case SpecialReg::ClusterCtaIdZ:
  case SpecialReg::ClusterNCtaIdX:
  case SpecialReg::ClusterNCtaIdY:
  case SpecialReg::ClusterNCtaIdZ:
  case SpecialReg::ClusterIdX:
  case SpecialReg::ClusterIdY:
  case SpecialReg::ClusterIdZ:
  case SpecialReg::NClusterIdX:
  case SpecialReg::NClusterIdY:
  case SpecialReg::NClusterIdZ:
  case SpecialReg::ClusterCtaRank:
  case SpecialReg::ClusterNCtaRank:
  case SpecialReg::DynamicSharedBytes:
  case SpecialReg::WarpSize:
    return true;
  case SpecialReg::WarpId:
  case SpecialReg::NWarpId:
  case SpecialReg::SmId:
  case SpecialReg::Clock:
  case SpecialReg::GlobalTimer:
    return By == Sharing::Warp;
  case SpecialReg::None:
  case SpecialReg::TidX:
  case SpecialReg::TidY:
  case SpecialReg::TidZ:
  case SpecialReg::LaneId:
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

bool gpuocc::isSameInBlock(SpecialReg R) {
  return isUniformRegister(R, Sharing::Block);
}

/// True for an operation whose result differs between the threads although its
/// operands do not.
static bool isDivergentSource(const KernelFacts &Facts, const Operation &Op,
                              Sharing By) {
  if (Op.What == Semantics::SReg)
    return !isUniformRegister(Op.SReg, By);
  if (Op.What == Semantics::Shuffle)
    return By == Sharing::Block || Op.Shuffle != ShuffleKind::Idx;
  if (Op.Access != NoIndex) {
    const MemoryAccess &A = Facts.Accesses[Op.Access];
    return A.Kind != AccessKind::Load ||
           (A.Space != MemorySpace::Constant &&
            (By == Sharing::Block || A.Space == MemorySpace::Local));
  }
  return false;
}

/// True for an operation whose result the lanes share although operands
/// differ.
static bool isVote(const Operation &Op) {
  return is_contained({Semantics::Ballot, Semantics::VoteAny,
                       Semantics::VoteAll, Semantics::ActiveMask},
                      Op.What);
}

/// The operands of \p Op that decide whether lanes share its result.
static ArrayRef<Operand> decidingOperands(const Operation &Op, Sharing By) {
  if (By == Sharing::Block)
    return Op.Operands;
  if (isVote(Op))
    return {};
  const bool IsOfOneLane = Op.What == Semantics::Shuffle &&
                           Op.Shuffle == ShuffleKind::Idx &&
                           !Op.Operands.empty();
  return ArrayRef(Op.Operands).drop_front(IsOfOneLane);
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

static std::vector<bool> sharedBy(Sharing By, const KernelFacts &Facts) {
  std::vector<bool> Uniform(Facts.Operations.size(), true);
  for (size_t I = 0; I != Facts.Operations.size(); ++I)
    Uniform[I] = !isDivergentSource(Facts, Facts.Operations[I], By);
  for (bool Changed = true; Changed;) {
    Changed = false;
    std::vector<bool> Joins = joinsOfDivergence(Facts, Uniform);
    for (size_t I = 0; I != Facts.Operations.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      if (!Uniform[I])
        continue;
      bool Stays = all_of(decidingOperands(Op, By), [&](const Operand &O) {
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

std::vector<bool> gpuocc::uniformOperations(const KernelFacts &Facts) {
  return sharedBy(Sharing::Block, Facts);
}

std::vector<bool> gpuocc::warpUniformOperations(const KernelFacts &Facts) {
  return sharedBy(Sharing::Warp, Facts);
}
