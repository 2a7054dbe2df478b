//===- FlowReader.cpp - Blocks, loops and branches ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FlowReader.h"
#include "Calls.h"
#include "FunctionMap.h"
#include "LocationTable.h"
#include "OpcodeTable.h"
#include "gpuocc/Kernel/Dominators.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/CodeGen/MachineDominators.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace gpuocc;
using namespace llvm;

namespace {

class FlowReader {
public:
  FlowReader(const MachineFunction &MF, FunctionMap &Map, OpcodeTable &Opcodes,
             LocationTable &Locations, KernelFacts &Facts)
      : MF(MF), Map(Map), Opcodes(Opcodes), Locations(Locations), Facts(Facts) {
  }

  void run();

private:
  void addPostDominators();
  void addLoops(const MachineLoopInfo &Info);
  void addLoop(const MachineLoop &L, uint32_t Parent);
  void addBranch(const MachineBasicBlock &MBB);
  std::optional<Branch> conditionalBranch(const MachineInstr &MI);
  std::optional<Branch> indexedBranch(const MachineInstr &MI);
  void setPrior(const MachineBasicBlock &MBB, Branch &Br) const;

  const MachineFunction &MF;
  FunctionMap &Map;
  OpcodeTable &Opcodes;
  LocationTable &Locations;
  KernelFacts &Facts;
};

} // namespace

void FlowReader::run() {
  auto &Mutable = const_cast<MachineFunction &>(MF);
  MachineDominatorTree Dominators;
  Dominators.recalculate(Mutable);
  MachineLoopInfo MachineLoops;
  MachineLoops.analyze(Dominators);

  addLoops(MachineLoops);
  for (const MachineBasicBlock &MBB : MF) {
    gpuocc::BasicBlock &B = Facts.Blocks[Map.blockOf(MBB)];
    for (const MachineBasicBlock *S : MBB.successors())
      B.Successors.push_back(Map.blockOf(*S));
    addBranch(MBB);
  }
  addPostDominators();
}

/// Threads that part meet again where those do that come to no trap: what an
/// assertion or a switch without a default has beside its ways joins none.
void FlowReader::addPostDominators() {
  BlockGraph Graph(Facts.Blocks.size());
  for (const MachineBasicBlock &MBB : MF) {
    const bool HasOther =
        !all_of(MBB.successors(), [](const auto *S) { return endsInTrap(*S); });
    for (const MachineBasicBlock *S : MBB.successors())
      if (!HasOther || !endsInTrap(*S))
        Graph[Map.blockOf(MBB)].push_back(Map.blockOf(*S));
  }
  const gpuocc::Dominators After = gpuocc::Dominators::ofReversed(Graph);
  for (uint32_t B = 0; B != Graph.size(); ++B)
    Facts.Blocks[B].PostDominator = After.parent(B);
}

void FlowReader::addLoops(const MachineLoopInfo &Info) {
  DenseMap<const MachineLoop *, uint32_t> IndexOf;
  for (const MachineLoop *L : Info.getLoopsInPreorder()) {
    IndexOf[L] = Facts.Loops.size();
    const MachineLoop *Parent = L->getParentLoop();
    addLoop(*L, Parent ? IndexOf.at(Parent) : NoIndex);
  }
}

/// True for loops that carry "nounroll" into PTX: remainders of unrolled
/// loops, and those that the source marks so.
static bool forbidsUnrolling(const MachineLoop &L) {
  return findOptionMDForLoopID(L.getLoopID(), "llvm.loop.unroll.disable");
}

void FlowReader::addLoop(const MachineLoop &L, uint32_t Parent) {
  gpuocc::Loop Out;
  Out.Header = Map.blockOf(*L.getHeader());
  Out.Depth = L.getLoopDepth();
  Out.Parent = Parent;
  Out.Blocks.push_back(Out.Header);
  for (const MachineBasicBlock *MBB : L.blocks())
    if (MBB != L.getHeader())
      Out.Blocks.push_back(Map.blockOf(*MBB));
  SmallVector<MachineBasicBlock *, 2> Latches;
  L.getLoopLatches(Latches);
  for (const MachineBasicBlock *Latch : Latches)
    Out.Latches.push_back(Map.blockOf(*Latch));
  Out.Location = Locations.indexOf(L.getStartLoc());
  Out.NoUnroll = forbidsUnrolling(L);
  // Preorder: inner loops come later and overwrite.
  for (uint32_t Block : Out.Blocks)
    Facts.Blocks[Block].Loop = Facts.Loops.size();
  Facts.Loops.push_back(std::move(Out));
}

/// Nothing where both sides are the same block.
std::optional<Branch> FlowReader::conditionalBranch(const MachineInstr &MI) {
  Branch Br;
  Br.Condition = Map.operand(MI.getOperand(0));
  const MachineBasicBlock *Taken = MI.getOperand(1).getMBB();
  Br.Targets.push_back(Map.blockOf(*Taken));
  for (const MachineBasicBlock *S : MI.getParent()->successors())
    if (S != Taken)
      Br.Targets.push_back(Map.blockOf(*S));
  if (Br.Targets.size() == 1)
    return std::nullopt;
  return Br;
}

/// \p MI ends a table of jumps, whose items are terminators before it.
std::optional<Branch> FlowReader::indexedBranch(const MachineInstr &MI) {
  Branch Br;
  Br.Indexed = true;
  for (const MachineInstr &Item : MI.getParent()->terminators())
    for (const MachineOperand &MO : Item.explicit_uses())
      if (MO.isMBB() && Opcodes.name(Item.getOpcode()) != "CBranch")
        Br.Targets.push_back(Map.blockOf(*MO.getMBB()));
  for (const MachineOperand &MO : MI.explicit_uses())
    if (MO.isReg())
      Br.Condition = Map.operand(MO);
  return Br;
}

void FlowReader::addBranch(const MachineBasicBlock &MBB) {
  for (const MachineInstr &MI : MBB.terminators()) {
    const StringRef Name = Opcodes.name(MI.getOpcode());
    std::optional<Branch> Br = Name == "CBranch"   ? conditionalBranch(MI)
                               : Name == "BRX_END" ? indexedBranch(MI)
                                                   : std::nullopt;
    if (!Br)
      continue;
    Br->Op = Map.operationOf(MI);
    Br->Block = Map.blockOf(MBB);
    setPrior(MBB, *Br);
    Facts.Blocks[Br->Block].Branch = Facts.Branches.size();
    Facts.Branches.push_back(std::move(*Br));
    return;
  }
}

void FlowReader::setPrior(const MachineBasicBlock &MBB, Branch &Br) const {
  if (Br.Indexed || Br.Targets.size() != 2)
    return;
  auto AvoidSideThat = [&](bool (*Does)(const MachineBasicBlock &),
                           StringRef Reason) {
    bool Side[2] = {false, false};
    for (const MachineBasicBlock *S : MBB.successors())
      if (Does(*S))
        Side[Map.blockOf(*S) == Br.Targets[0] ? 0 : 1] = true;
    if (Side[0] == Side[1])
      return false;
    Br.TakenPrior = Side[0] ? 0.0 : 1.0;
    Br.PriorReason = Reason.str();
    Br.PriorBy = Mechanism::TrapProbability;
    return true;
  };
  if (!AvoidSideThat(endsInTrap, "the other side ends in a trap"))
    AvoidSideThat(prints, "the other side prints a message");
}

void gpuocc::readFlow(const MachineFunction &MF, FunctionMap &Map,
                      OpcodeTable &Opcodes, LocationTable &Locations,
                      KernelFacts &Facts) {
  FlowReader(MF, Map, Opcodes, Locations, Facts).run();
}
