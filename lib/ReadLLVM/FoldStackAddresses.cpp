//===- FoldStackAddresses.cpp - Addresses of objects on the stack ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FoldStackAddresses.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace gpuocc;
using namespace llvm;

char FoldStackAddresses::ID = 0;

/// Does \p Opcode turn a local address into a generic one or back?
static bool convertsLocal(StringRef Opcode) {
  return Opcode == "cvta_to_local_64" || Opcode == "cvta_local_64";
}

/// The instruction that defines \p MO, behind conversions of local addresses;
/// null where there are several.
static const MachineInstr *definition(const MachineOperand &MO,
                                      const TargetInstrInfo &Instructions,
                                      const MachineRegisterInfo &MRI) {
  if (!MO.isReg() || !MO.getReg().isVirtual())
    return nullptr;
  const MachineInstr *Def = MRI.getUniqueVRegDef(MO.getReg());
  if (Def && convertsLocal(Instructions.getName(Def->getOpcode())))
    return definition(Def->getOperand(1), Instructions, MRI);
  return Def;
}

bool FoldStackAddresses::runOnMachineFunction(MachineFunction &MF) {
  if (!MF.getFrameInfo().hasStackObjects())
    return false;
  const TargetInstrInfo &Instructions = *MF.getSubtarget().getInstrInfo();
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  // What is added to the address of an object remains an addition.
  SmallVector<std::pair<MachineInstr *, const MachineInstr *>, 8> Objects;
  for (MachineBasicBlock &B : MF)
    for (MachineInstr &MI : B) {
      if (Instructions.getName(MI.getOpcode()) != "ADD64ri" ||
          !MI.getOperand(2).isImm())
        continue;
      const MachineInstr *Stack =
          definition(MI.getOperand(1), Instructions, MRI);
      if (Stack && Instructions.getName(Stack->getOpcode()) == "LEA_ADDRi64")
        Objects.push_back({&MI, Stack});
    }
  for (auto [Object, Stack] : Objects) {
    const int64_t Offset =
        Stack->getOperand(2).getImm() + Object->getOperand(2).getImm();
    Object->setDesc(Stack->getDesc());
    Object->getOperand(1).ChangeToFrameIndex(Stack->getOperand(1).getIndex());
    Object->getOperand(2).setImm(Offset);
  }
  return !Objects.empty();
}
