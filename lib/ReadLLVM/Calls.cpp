//===- Calls.cpp - Calls that stay in machine code ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineBasicBlock.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/Function.h"

using namespace gpuocc;
using namespace llvm;

static constexpr RuntimeFunction RuntimeFunctions[] = {
#define RUNTIME_FUNCTION(Symbol, Name, Returns, Emits, Queue, Assumed)         \
  {Symbol, Name, Returns, Emits, Queue, Assumed},
#include "RuntimeFunctions.def"
};

const RuntimeFunction *gpuocc::runtimeFunction(StringRef Callee) {
  const auto *Row = find_if(RuntimeFunctions, [&](const RuntimeFunction &R) {
    return R.Symbol == Callee;
  });
  return Row == std::end(RuntimeFunctions) ? nullptr : Row;
}

StringRef gpuocc::calleeOf(const MachineInstr &Call) {
  for (const MachineOperand &MO : Call.operands()) {
    if (MO.isGlobal())
      return MO.getGlobal()->getName();
    if (MO.isSymbol())
      return MO.getSymbolName();
  }
  return "";
}

static bool returns(const MachineInstr &Call) {
  for (const MachineOperand &MO : Call.operands())
    if (MO.isGlobal())
      if (const auto *F = dyn_cast<Function>(MO.getGlobal());
          F && F->doesNotReturn())
        return false;
  const RuntimeFunction *Row = runtimeFunction(calleeOf(Call));
  return !Row || Row->Returns;
}

static bool endsInTrap(const MachineBasicBlock &MBB, unsigned Depth) {
  constexpr unsigned MaxDepth = 4;
  if (any_of(MBB, [](const MachineInstr &MI) {
        return MI.isCall() && !returns(MI);
      }))
    return true;
  if (MBB.succ_empty())
    return none_of(MBB, [](const MachineInstr &MI) { return MI.isReturn(); });
  return Depth < MaxDepth && all_of(
                                 MBB.successors(),
                                 [&](const MachineBasicBlock *S) {
                                   return endsInTrap(*S, Depth + 1);
                                 });
}

bool gpuocc::endsInTrap(const MachineBasicBlock &MBB) {
  return ::endsInTrap(MBB, 0);
}

bool gpuocc::prints(const MachineBasicBlock &MBB) {
  return any_of(MBB, [](const MachineInstr &MI) {
    return MI.isCall() && calleeOf(MI) == "vprintf";
  });
}
