//===- FoldImmediates.cpp - Immediates instead of registers ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldImmediates.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace gpuocc;
using namespace llvm;

char FoldImmediates::ID = 0;

/// "MUL_HI_S32ri" of "MUL_HI_S32rr"; 0 where there is none.
static unsigned findImmediateForm(const TargetInstrInfo &Instructions,
                                  unsigned Opcode) {
  StringRef Name = Instructions.getName(Opcode);
  if (!Name.consume_back("rr"))
    return 0;
  for (unsigned Other = 0; Other != Instructions.getNumOpcodes(); ++Other)
    if (StringRef OtherName = Instructions.getName(Other);
        OtherName.consume_back("ri") && OtherName == Name)
      return Other;
  return 0;
}

/// The immediate that \p MO, a register, was moved from; null where it was not.
static const MachineOperand *movedImmediate(const MachineOperand &MO,
                                            const TargetInstrInfo &Instructions,
                                            const MachineRegisterInfo &MRI) {
  if (!MO.isReg() || !MO.getReg().isVirtual())
    return nullptr;
  const MachineInstr *Def = MRI.getUniqueVRegDef(MO.getReg());
  if (!Def || Def->getNumOperands() != 2 || !Def->getOperand(1).isImm() ||
      !Instructions.getName(Def->getOpcode()).starts_with("MOV_B"))
    return nullptr;
  return &Def->getOperand(1);
}

bool FoldImmediates::runOnMachineFunction(MachineFunction &MF) {
  const TargetInstrInfo &Instructions = *MF.getSubtarget().getInstrInfo();
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  DenseMap<unsigned, unsigned> Forms;
  bool IsChanged = false;
  for (MachineBasicBlock &B : MF)
    for (MachineInstr &MI : B) {
      if (MI.getNumExplicitOperands() != 3)
        continue;
      const MachineOperand *Immediate =
          movedImmediate(MI.getOperand(2), Instructions, MRI);
      if (!Immediate)
        continue;
      auto [It, IsNew] = Forms.try_emplace(MI.getOpcode(), 0);
      if (IsNew)
        It->second = findImmediateForm(Instructions, MI.getOpcode());
      if (It->second == 0)
        continue;
      MI.setDesc(Instructions.get(It->second));
      MI.getOperand(2).ChangeToImmediate(Immediate->getImm());
      IsChanged = true;
    }
  return IsChanged;
}
