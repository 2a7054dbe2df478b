//===- JoinBlocks.cpp - Joins blocks that follow one another --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinBlocks.h"
#include "gpuocc/Support/FinalCode.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Instructions.h"

using namespace gpuocc;
using namespace llvm;

char JoinBlocks::ID = 0;

/// Was \p B put between a branch and its taken side (BetweenMark)?
static bool isBetween(const MachineBasicBlock &B) {
  const BasicBlock *From = B.getBasicBlock();
  return From && From->getTerminator() &&
         From->getTerminator()->getMetadata(BetweenMark) &&
         B.pred_size() == 1 && B.succ_size() == 1;
}

/// Moves the jump of \p B behind the branch that comes before, and constants
/// for phis in front of it.
static void removeBetween(MachineBasicBlock &B) {
  MachineBasicBlock &Before = **B.pred_begin(), &Next = **B.succ_begin();
  if (Before.isSuccessor(&Next))
    return;
  Before.splice(Before.getFirstTerminator(), &B, B.begin(),
                B.getFirstTerminator());
  const bool IsJumpedTo =
      any_of(Before.terminators(), [&](const MachineInstr &MI) {
        return any_of(MI.operands(), [&](const MachineOperand &MO) {
          return MO.isMBB() && MO.getMBB() == &B;
        });
      });
  if (!IsJumpedTo)
    Before.splice(Before.end(), &B, B.begin(), B.end());
  Before.ReplaceUsesOfBlockWith(&B, &Next);
  Next.replacePhiUsesWith(&B, &Before);
  B.removeSuccessor(&Next);
  B.eraseFromParent();
}

/// The block that \p B is joined with, or null.
static MachineBasicBlock *nextOf(const MachineBasicBlock &B) {
  if (B.succ_size() != 1)
    return nullptr;
  MachineBasicBlock *Next = *B.succ_begin();
  const bool IsJoined = Next->pred_size() == 1 && Next != &B &&
                        !Next->isEntryBlock() &&
                        (Next->empty() || !Next->front().isPHI());
  return IsJoined ? Next : nullptr;
}

/// Moves the code of \p Chain into its last block, which keeps the block of the
/// IR whose terminator tells of the loop.
static void join(ArrayRef<MachineBasicBlock *> Chain,
                 const TargetInstrInfo &Instructions) {
  MachineBasicBlock &First = *Chain.front(), &Last = *Chain.back();
  for (MachineBasicBlock *B : reverse(Chain.drop_back())) {
    B->removeSuccessor(B->succ_begin());
    Instructions.removeBranch(*B);
    Last.splice(Last.begin(), B, B->begin(), B->end());
  }
  for (MachineBasicBlock *From :
       SmallVector<MachineBasicBlock *, 4>(First.predecessors()))
    From->ReplaceUsesOfBlockWith(&First, &Last);
  Last.moveBefore(&First);
  for (MachineBasicBlock *B : Chain.drop_back())
    B->eraseFromParent();
}

/// Orders blocks so that values are computed before they are used.
static void order(MachineFunction &MF) {
  const ReversePostOrderTraversal<MachineFunction *> Order(&MF);
  for (MachineBasicBlock *B : Order)
    MF.splice(MF.end(), B);
  MF.RenumberBlocks();
}

bool JoinBlocks::runOnMachineFunction(MachineFunction &MF) {
  const TargetInstrInfo &Instructions = *MF.getSubtarget().getInstrInfo();
  for (MachineBasicBlock &B : make_early_inc_range(MF))
    if (isBetween(B))
      removeBetween(B);
  SmallVector<SmallVector<MachineBasicBlock *, 8>, 16> Chains;
  for (MachineBasicBlock &B : MF) {
    const bool IsFirst = B.pred_size() != 1 || nextOf(**B.pred_begin()) != &B;
    if (!IsFirst || !nextOf(B))
      continue;
    SmallVector<MachineBasicBlock *, 8> Chain;
    for (MachineBasicBlock *Next = &B; Next; Next = nextOf(*Next))
      Chain.push_back(Next);
    Chains.push_back(std::move(Chain));
  }
  for (ArrayRef<MachineBasicBlock *> Chain : Chains)
    join(Chain, Instructions);
  order(MF);
  return true;
}
