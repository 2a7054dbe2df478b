//===- PlaceParameters.cpp - Loads parameters where code does -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceParameters.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace gpuocc;
using namespace llvm;

char PlaceParameters::ID = 0;

static bool loadsParameter(const MachineInstr &MI) {
  return MI.mayLoad() && MI.getNumExplicitDefs() == 1 &&
         any_of(MI.explicit_uses(),
                [](const MachineOperand &MO) { return MO.isSymbol(); });
}

bool PlaceParameters::runOnMachineFunction(MachineFunction &MF) {
  MachineRegisterInfo &Registers = MF.getRegInfo();
  bool IsChanged = false;
  SmallVector<MachineInstr *, 16> Loads;
  for (MachineInstr &MI : MF.front())
    if (loadsParameter(MI))
      Loads.push_back(&MI);
  for (MachineInstr *Load : Loads) {
    const Register Loaded = Load->getOperand(0).getReg();
    for (MachineInstr &Copy :
         make_early_inc_range(Registers.use_nodbg_instructions(Loaded))) {
      if (!Copy.isCopy())
        continue;
      MachineInstr *Placed = MF.CloneMachineInstr(Load);
      Placed->getOperand(0).setReg(Copy.getOperand(0).getReg());
      Placed->setDebugLoc(Copy.getDebugLoc());
      Copy.getParent()->insert(Copy, Placed);
      Copy.eraseFromParent();
      IsChanged = true;
    }
    if (Registers.use_nodbg_empty(Loaded))
      Load->eraseFromParent();
  }
  return IsChanged;
}
