//===- FunctionMap.cpp - Machine code and the facts made of it ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionMap.h"
#include "FragmentReader.h"
#include "OpcodeTable.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/IR/Constants.h"

using namespace gpuocc;
using namespace llvm;

static bool isCode(const MachineInstr &MI) {
  return !MI.isDebugInstr() && !MI.isCFIInstruction() &&
         !MI.isLifetimeMarker() && !MI.isImplicitDef() && !MI.isKill();
}

FunctionMap::FunctionMap(const MachineFunction &MF, OpcodeTable &Opcodes,
                         KernelFacts &Facts)
    : Registers(MF.getRegInfo()), Symbols(MF, Facts) {
  for (const MachineBasicBlock &MBB : MF) {
    Blocks[&MBB] = Facts.Blocks.size();
    gpuocc::BasicBlock B;
    B.Name = ("bb." + Twine(MBB.getNumber())).str();
    B.FirstOp = Facts.Operations.size();
    for (const MachineInstr &MI : MBB) {
      if (!isCode(MI))
        continue;
      // What a fragment access is taken apart into comes before it.
      if (std::optional<FragmentAccess> F =
              decodeFragment(MI, Opcodes.name(MI.getOpcode())))
        Facts.Operations.resize(Facts.Operations.size() +
                                numFragmentOperations(*F));
      Operations[&MI] = Facts.Operations.size();
      Facts.Operations.emplace_back();
    }
    B.NumOps = Facts.Operations.size() - B.FirstOp;
    Facts.Blocks.push_back(std::move(B));
  }
}

Operand FunctionMap::ofRegister(Register Reg) const {
  if (!Reg.isVirtual())
    return Operand();
  const MachineInstr *Def = Registers.getUniqueVRegDef(Reg);
  auto It = Operations.find(Def);
  if (It == Operations.end())
    return Operand();
  uint8_t Result = 0;
  for (const MachineOperand &MO : Def->all_defs()) {
    if (MO.getReg() == Reg)
      return Operand::value(It->second, Result);
    ++Result;
  }
  return Operand();
}

Operand FunctionMap::operand(const MachineOperand &MO) {
  switch (MO.getType()) {
  case MachineOperand::MO_Register:
    return ofRegister(MO.getReg());
  case MachineOperand::MO_Immediate:
    return Operand::immediate(MO.getImm());
  case MachineOperand::MO_CImmediate:
    return Operand::immediate(MO.getCImm()->getSExtValue());
  case MachineOperand::MO_FPImmediate: {
    APInt Bits = MO.getFPImm()->getValueAPF().bitcastToAPInt();
    return Bits.getBitWidth() <= 64
               ? Operand::immediate(int64_t(Bits.getZExtValue()))
               : Operand();
  }
  case MachineOperand::MO_GlobalAddress:
    return Operand::symbol(Symbols.ofVariable(*MO.getGlobal()));
  case MachineOperand::MO_FrameIndex: {
    uint32_t Symbol = Symbols.ofStackObject(MO.getIndex());
    return Symbol == NoIndex ? Operand() : Operand::symbol(Symbol);
  }
  default:
    return Operand();
  }
}
