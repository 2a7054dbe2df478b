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

namespace {
struct RuntimeRow {
  StringRef Symbol, Name;
  bool Returns;
};
} // namespace

static constexpr RuntimeRow RuntimeFunctions[] = {
#define RUNTIME_FUNCTION(Symbol, Name, Returns) {Symbol, Name, Returns},
#include "RuntimeFunctions.def"
};

static const RuntimeRow *findRuntimeRow(StringRef Callee) {
  const auto *Row = find_if(RuntimeFunctions, [&](const RuntimeRow &R) {
    return R.Symbol == Callee;
  });
  return Row == std::end(RuntimeFunctions) ? nullptr : Row;
}

StringRef gpuocc::runtimeFunction(StringRef Callee) {
  const RuntimeRow *Row = findRuntimeRow(Callee);
  return Row ? Row->Name : StringRef();
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
  const RuntimeRow *Row = findRuntimeRow(calleeOf(Call));
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
