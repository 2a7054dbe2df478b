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

using Registers = SmallVector<Operand, 4>;

/// Does \p O lie in a register? Arguments, constants and what lies in constant
/// memory come from its cache.
static bool isRegister(const KernelFacts &Facts, const Operand &O) {
  const Operation *From = Facts.operationOf(O);
  if (!From || From->What == Semantics::Param)
    return false;
  if (From->What == Semantics::Copy && From->Emits.empty())
    return isRegister(Facts, From->Operands.front());
  return From->Access == NoIndex ||
         Facts.Accesses[From->Access].Space != MemorySpace::Constant;
}

static Registers registersOf(const KernelFacts &Facts, const Operation &Op) {
  Registers Out;
  for (const Operand &O : Op.Operands)
    if (isRegister(Facts, O) && !is_contained(Out, O))
      Out.push_back(O);
  return Out;
}

/// How many of \p Own an instruction reads behind operation \p Before, whose
/// registers are \p Kept.
static unsigned countReads(ArrayRef<Operand> Own, uint32_t Before,
                           ArrayRef<Operand> Kept) {
  const bool Waits =
      any_of(Own, [&](const Operand &O) { return O.Index == Before; });
  return Waits ? Own.size() : count_if(Own, [&](const Operand &O) {
    return !is_contained(Kept, O);
  });
}

double gpuocc::operandWaitCycles(const KernelFacts &Facts,
                                 const ExecutionProfile &Profile, Numbers &N) {
  const std::optional<double> Rate = N.device().get(Quantity::RegisterReads);
  if (!Rate)
    return 0;
  double Waits = 0;
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
    const BasicBlock &Block = Facts.Blocks[B];
    if (Profile.Blocks[B].ExecutionsPerWarp == 0)
      continue;
    uint32_t Before = NoIndex;
    Registers Kept;
    double Reads = 0, Pipe = 0;
    for (uint32_t I = Block.FirstOp; I != Block.FirstOp + Block.NumOps; ++I) {
      const Operation &Op = Facts.Operations[I];
      if (Op.Emits.size() != 1 ||
          N.pipe(Op.Emits.front().Class) != Resource::Fma)
        continue;
      const Emission &E = Op.Emits.front();
      Registers Own = registersOf(Facts, Op);
      Reads += E.Count * countReads(Own, Before, Kept);
      Pipe += E.Count * N.pipeCycles(E.Class);
      Before = I;
      Kept = std::move(Own);
    }
    Waits += Profile.Blocks[B].ExecutionsPerWarp *
             std::max(0.0, Reads / (*Rate * N.schedulers()) - Pipe);
  }
  return Waits;
}
