//===- PlaceParameters.cpp - Loads parameters where code does -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceParameters.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

using namespace gpuocc;
using namespace llvm;

char PlaceParameters::ID = 0;

static bool loadsParameter(const MachineInstr &MI) {
  return MI.mayLoad() && MI.getNumExplicitDefs() == 1 &&
         any_of(MI.explicit_uses(),
                [](const MachineOperand &MO) { return MO.isSymbol(); });
}

/// The block ahead of all uses of \p Loaded that does not repeat; null where
/// nothing uses it, or what cannot be reached does.
static MachineBasicBlock *placeOf(Register Loaded,
                                  MachineRegisterInfo &Registers,
                                  MachineDominatorTree &Tree,
                                  const MachineLoopInfo &Loops) {
  MachineBasicBlock *Place = nullptr;
  for (MachineOperand &Use : Registers.use_nodbg_operands(Loaded)) {
    MachineInstr &User = *Use.getParent();
    // A phi uses it at the end of the block that it comes from.
    MachineBasicBlock *In =
        User.isPHI() ? User.getOperand(Use.getOperandNo() + 1).getMBB()
                     : User.getParent();
    if (!Tree.isReachableFromEntry(In))
      return nullptr;
    Place = Place ? Tree.findNearestCommonDominator(Place, In) : In;
  }
  while (Place && Loops.getLoopFor(Place)) {
    const MachineDomTreeNode *Above = Tree.getNode(Place)->getIDom();
    Place = Above ? Above->getBlock() : nullptr;
  }
  return Place;
}

/// Makes \p Load define what is a copy of it alone, in its block.
static void forwardCopies(MachineInstr &Load, MachineRegisterInfo &Registers) {
  const Register Loaded = Load.getOperand(0).getReg();
  if (!Registers.hasOneNonDBGUse(Loaded))
    return;
  MachineInstr &Copy = *Registers.use_instr_nodbg_begin(Loaded);
  if (!Copy.isCopy() || Copy.getParent() != Load.getParent())
    return;
  Load.getOperand(0).setReg(Copy.getOperand(0).getReg());
  Copy.eraseFromParent();
}

void PlaceParameters::getAnalysisUsage(AnalysisUsage &Usage) const {
  Usage.addRequired<MachineDominatorTreeWrapperPass>();
  Usage.addRequired<MachineLoopInfoWrapperPass>();
  Usage.setPreservesCFG();
  MachineFunctionPass::getAnalysisUsage(Usage);
}

bool PlaceParameters::runOnMachineFunction(MachineFunction &MF) {
  MachineRegisterInfo &Registers = MF.getRegInfo();
  MachineDominatorTree &Tree =
      getAnalysis<MachineDominatorTreeWrapperPass>().getDomTree();
  const MachineLoopInfo &Loops =
      getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  bool IsChanged = false;
  SmallVector<MachineInstr *, 16> Loads, AtEntry;
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
      if (Copy.getParent() == &MF.front())
        AtEntry.push_back(Placed);
      Copy.eraseFromParent();
      IsChanged = true;
    }
    if (Registers.use_nodbg_empty(Loaded))
      Load->eraseFromParent();
    else
      AtEntry.push_back(Load);
  }
  for (MachineInstr *Load : AtEntry) {
    forwardCopies(*Load, Registers);
    MachineBasicBlock *Place =
        placeOf(Load->getOperand(0).getReg(), Registers, Tree, Loops);
    if (!Place || Place == &MF.front())
      continue;
    Place->splice(Place->getFirstNonPHI(), &MF.front(), Load->getIterator());
    IsChanged = true;
  }
  return IsChanged;
}
