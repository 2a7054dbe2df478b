//===- OperandReads.cpp - Registers that products read --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/OperandReads.h"
#include "Numbers/Numbers.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Does \p Op read \p O from a register? Arguments, constants and what lies in
/// constant memory come from its cache.
static bool isRegister(const KernelFacts &Facts, const Operand &O) {
  if (!O.isValue())
    return false;
  const Operation &From = Facts.Operations[O.Index];
  if (From.What == Semantics::Copy && From.Emits.empty())
    return isRegister(Facts, From.Operands.front());
  if (From.What == Semantics::Param)
    return false;
  return From.Access == NoIndex ||
         Facts.Accesses[From.Access].Space != MemorySpace::Constant;
}

static SmallVector<Operand, 4> registersOf(const KernelFacts &Facts,
                                           const Operation &Op) {
  SmallVector<Operand, 4> Out;
  for (const Operand &O : Op.Operands)
    if (isRegister(Facts, O) && !is_contained(Out, O))
      Out.push_back(O);
  return Out;
}

/// Registers that \p Op reads behind \p Before, which may be null.
static unsigned readsOf(const KernelFacts &Facts, const Operation &Op,
                        const Operation *Before) {
  const SmallVector<Operand, 4> Own = registersOf(Facts, Op);
  if (!Before || any_of(Own, [&](const Operand &O) {
        return &Facts.Operations[O.Index] == Before;
      }))
    return Own.size();
  const SmallVector<Operand, 4> Kept = registersOf(Facts, *Before);
  return count_if(Own,
                  [&](const Operand &O) { return !is_contained(Kept, O); });
}

double gpuocc::operandWaitCycles(const KernelFacts &Facts,
                                 const ExecutionProfile &Profile, Numbers &N) {
  const std::optional<double> Rate = N.device().get(Quantity::RegisterReads);
  if (!Rate)
    return 0;
  double Waits = 0;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
    const BasicBlock &Block = Facts.Blocks[B];
    const Operation *Before = nullptr;
    double Reads = 0, Pipe = 0;
    for (uint32_t I = 0; I != Block.NumOps; ++I) {
      const Operation &Op = Facts.Operations[Block.FirstOp + I];
      if (Op.Emits.size() != 1 ||
          N.pipe(Op.Emits.front().Class) != Resource::Fma)
        continue;
      const Emission &E = Op.Emits.front();
      Reads += E.Count * readsOf(Facts, Op, Before);
      Pipe += E.Count * N.pipeCycles(E.Class);
      Before = &Op;
    }
    Waits += Profile.Blocks[B].ExecutionsPerWarp *
             std::max(0.0, Reads / (*Rate * N.schedulers()) - Pipe);
  }
  return Waits;
}
