//===- DropLikePtxas.cpp - Loops that ptxas deletes -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc takes what does not change out of a loop and leaves a loop that counts
/// to its end; ptxas 13.0 deletes it. A loop of 1000 powf of one number takes
/// 83 instructions (H100, test/golden/drawn-h100-3, standard_kernel).
///
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// A value that depends on the time at which it is read.
static bool readsClock(const Operation &Op) {
  return Op.What == Semantics::SReg &&
         (Op.SReg == SpecialReg::Clock || Op.SReg == SpecialReg::GlobalTimer ||
          Op.SReg == SpecialReg::Other);
}

/// Does \p What act on more than its result: copies, barriers, registers?
static bool hasEffect(Semantics What) {
  return What >= Semantics::CommitCopies && What <= Semantics::FreeTensorMemory;
}
static_assert(unsigned(Semantics::FreeTensorMemory) -
                      unsigned(Semantics::CommitCopies) ==
                  12,
              "a new kind of operation: has it an effect?");

/// Does \p Op only compute a value of its lane, or jump?
static bool isIdle(const Operation &Op) {
  if (Op.Access != NoIndex || isCall(Op) || readsClock(Op) ||
      asksOtherLanes(Op.What) || hasEffect(Op.What))
    return false;
  // What is not evaluated may do anything, but jumps are known.
  return Op.What != Semantics::Opaque ||
         all_of(Op.Emits,
                [](const Emission &E) { return E.Class == InstClass::Branch; });
}

/// The block behind \p L, if all ways out of it lead there.
static bool hasOneExit(const KernelFacts &Facts, const gpuocc::Loop &L) {
  uint32_t Behind = NoIndex;
  for (uint32_t B : L.Blocks)
    for (uint32_t Next : Facts.Blocks[B].Successors) {
      if (is_contained(L.Blocks, Next))
        continue;
      if (Behind != NoIndex && Behind != Next)
        return false;
      Behind = Next;
    }
  return Behind != NoIndex;
}

static bool isIdle(const KernelFacts &Facts, const gpuocc::Loop &L) {
  if (!hasOneExit(Facts, L))
    return false;
  std::vector<bool> IsInside(Facts.Blocks.size());
  for (uint32_t B : L.Blocks)
    IsInside[B] = true;
  return all_of(Facts.Operations, [&](const Operation &Op) {
    if (IsInside[Op.Block])
      return isIdle(Op);
    return none_of(Op.Operands, [&](const Operand &O) {
      return O.isValue() && IsInside[Facts.Operations[O.Index].Block];
    });
  });
}

void gpuocc::dropIdleLoopsLikePtxas(KernelFacts &Facts) {
  for (const gpuocc::Loop &L : Facts.Loops) {
    if (!isIdle(Facts, L))
      continue;
    for (uint32_t B : L.Blocks)
      for (uint32_t I = 0; I != Facts.Blocks[B].NumOps; ++I)
        Facts.Operations[Facts.Blocks[B].FirstOp + I].Emits.clear();
  }
}
