//===- UnrollLikeNvcc.cpp - Loops over local arrays as nvcc unrolls them --===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadLLVM/LikeNvcc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace gpuocc;
using namespace llvm;

/// Instructions of a loop when it is unrolled, up to which nvcc does so.
///
/// Heuristic: nvcc 13.0 keeps `v[128]` of a loop with 13 instructions and
/// `v[16][16]` of two loops around 10 in registers (1664 and 2560), `v[256]`
/// and `v[24][24]` not (3328 and 5760). test/lit/command/built-by.test would
/// notice a change.
static constexpr unsigned MaxUnrolled = 2800;

static bool isUnrolledOtherwise(const Loop &L) {
  const MDNode *Id = L.getLoopID();
  return Id && any_of(drop_begin(Id->operands()), [](const MDOperand &Option) {
           const auto *Node = dyn_cast<MDNode>(Option);
           const auto *Name = Node && Node->getNumOperands() != 0
                                  ? dyn_cast<MDString>(Node->getOperand(0))
                                  : nullptr;
           return Name && Name->getString().starts_with("llvm.loop.unroll.");
         });
}

/// Does each turn of \p L reach another element of a local variable?
static bool walksLocalArray(const Loop &L) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block)
      if (const Value *Pointer = getLoadStorePointerOperand(&I);
          Pointer && !L.isLoopInvariant(Pointer) &&
          isa<AllocaInst>(getUnderlyingObject(Pointer)))
        return true;
  return false;
}

PreservedAnalyses UnrollLikeNvccPass::run(Loop &L, LoopAnalysisManager &,
                                          LoopStandardAnalysisResults &Results,
                                          LPMUpdater &) {
  const Module &M = *L.getHeader()->getModule();
  const unsigned Turns = Results.SE.getSmallConstantTripCount(&L);
  if (!M.getTargetTriple().isNVPTX() || Turns < 2 || isUnrolledOtherwise(L) ||
      !walksLocalArray(L))
    return PreservedAnalyses::all();
  uint64_t Instructions = 0;
  for (const BasicBlock *Block : L.blocks())
    Instructions += Block->sizeWithoutDebug();
  if (Instructions * Turns <= MaxUnrolled)
    addStringMetadataToLoop(&L, "llvm.loop.unroll.full");
  return PreservedAnalyses::all();
}
