//===- CollectKernels.cpp - The machine pass that reads kernels -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollectKernels.h"
#include "FoldImmediates.h"
#include "FoldStackAddresses.h"
#include "FunctionReader.h"
#include "JoinBlocks.h"
#include "OpcodeTable.h"
#include "PlaceParameters.h"
#include "gpuocc/Assembler/LowerLikePtxas.h"
#include "gpuocc/Kernel/RecordProbability.h"
#include "gpuocc/ReadLLVM/ReadModule.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace gpuocc;
using namespace llvm;

char CollectKernels::ID = 0;

void CollectKernels::getAnalysisUsage(AnalysisUsage &AU) const {
  AU.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(AU);
}

static bool isKernel(const Function &F) {
  return F.getCallingConv() == CallingConv::PTX_Kernel;
}

bool CollectKernels::doInitialization(Module &M) {
  SmallVector<const Function *, 16> Work;
  for (const Function &F : M)
    if (isKernel(F))
      Work.push_back(&F);
  while (!Work.empty())
    for (const Instruction &I : instructions(*Work.pop_back_val()))
      if (const auto *Call = dyn_cast<CallBase>(&I))
        if (const Function *Callee = Call->getCalledFunction();
            Callee && !Callee->isDeclaration() && Called.insert(Callee).second)
          Work.push_back(Callee);
  return false;
}

/// What needs all that a kernel executes.
void CollectKernels::complete(KernelFacts &Facts) const {
  if (Numbered)
    restorePlaces(Facts, *Numbered);
  findRecords(Facts);
  lowerLikePtxas(Facts, Used);
  Facts.Resources.RegistersPerThread = estimateRegisters(Facts, Registers);
  Facts.Resources.Source = "estimate";
}

bool CollectKernels::runOnMachineFunction(MachineFunction &MF) {
  const Function &F = MF.getFunction();
  if (!isKernel(F) && !Called.contains(&F))
    return false;
  OpcodeTable Opcodes(MF.getTarget(), *MF.getSubtarget().getInstrInfo());
  KernelFacts Facts;
  std::vector<CallSite> Calls;
  readSignature(F, Facts);
  if (Facts.Architecture.empty())
    Facts.Architecture = MF.getTarget().getTargetCPU().str();
  readFunction(MF, Opcodes, Facts, Calls);
  if (!isKernel(F)) {
    placeJumpsLikePtxas(Facts);
    Costs.add(F.getName(), Facts, Calls);
    return false;
  }
  if (Calls.empty())
    complete(Facts);
  else
    WaitForCalls.push_back({Kernels.size(), std::move(Calls)});
  Kernels.push_back(std::move(Facts));
  return false;
}

bool CollectKernels::doFinalization(Module &) {
  for (const Waiting &W : WaitForCalls) {
    Costs.apply(Kernels[W.Kernel], W.Calls);
    complete(Kernels[W.Kernel]);
  }
  Done(std::move(Kernels));
  Kernels.clear();
  return false;
}

static void addPasses(legacy::PassManagerBase &PM, ArrayRef<char *> IDs) {
  for (char *ID : IDs)
    if (Pass *P = Pass::createPass(ID))
      PM.add(P);
}

bool gpuocc::addPassesUpToReading(TargetPassConfig &Config,
                                  legacy::PassManagerBase &PM) {
  if (Config.addISelPasses())
    return false;
  // Those of NVPTX's pipeline, in its order, up to where insertReader() reads.
  if (Config.getOptLevel() != CodeGenOptLevel::None)
    addPasses(PM, {&EarlyTailDuplicateLegacyID, &OptimizePHIsLegacyID,
                   &StackColoringLegacyID, &LocalStackSlotAllocationID,
                   &DeadMachineInstructionElimID, &EarlyMachineLICMID,
                   &MachineCSELegacyID, &MachineSinkingLegacyID,
                   &PeepholeOptimizerLegacyID});
  return true;
}

bool gpuocc::addPassesOfFinalCode(TargetPassConfig &Config,
                                  legacy::PassManagerBase &PM) {
  TargetMachine &TM = Config.getTM<TargetMachine>();
  const CodeGenOptLevel Level = TM.getOptLevel();
  TM.setOptLevel(CodeGenOptLevel::None);
  const bool IsRefused = Config.addISelPasses();
  TM.setOptLevel(Level);
  if (IsRefused)
    return false;
  PM.add(new PlaceParameters());
  PM.add(new JoinBlocks());
  PM.add(new FoldImmediates());
  PM.add(new FoldStackAddresses());
  addPasses(PM, {&DeadMachineInstructionElimID});
  return true;
}

void gpuocc::insertReader(TargetPassConfig &Config, CollectKernels *Reader) {
  Config.insertPass(Config.getOptLevel() == CodeGenOptLevel::None
                        ? &FinalizeISelID
                        : &PeepholeOptimizerLegacyID,
                    Reader);
}
