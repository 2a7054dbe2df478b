//===- CountBitsLikeNvcc.cpp - Loops that count the bits of a number ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadLLVM/LikeNvcc.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"

using namespace gpuocc;
using namespace llvm;
using namespace llvm::PatternMatch;

/// The number that loop \p L, of one block, takes the lowest bit from in each
/// turn until none is left; null for other loops.
static PHINode *countedNumber(const Loop &L) {
  BasicBlock *Body = L.getHeader();
  auto *Branch = dyn_cast<BranchInst>(Body->getTerminator());
  if (L.getNumBlocks() != 1 || !L.getLoopPreheader() || !Branch ||
      !Branch->isConditional())
    return nullptr;
  auto *Test = dyn_cast<ICmpInst>(Branch->getCondition());
  if (!Test || !Test->isEquality() || !match(Test->getOperand(1), m_Zero()) ||
      Branch->getSuccessor(Test->getPredicate() == ICmpInst::ICMP_EQ) != Body)
    return nullptr;
  for (PHINode &Number : Body->phis())
    if (Test->getOperand(0) == Number.getIncomingValueForBlock(Body) &&
        match(Test->getOperand(0),
              m_c_And(m_Specific(&Number),
                      m_Add(m_Specific(&Number), m_AllOnes()))))
      return &Number;
  return nullptr;
}

/// What the phi \p Counter of a loop that runs \p Turns times ends with; null
/// unless each turn adds the same.
static Value *lastCount(const PHINode &Counter, Value *Turns,
                        BasicBlock *Before, IRBuilder<> &Builder) {
  BasicBlock *Body = const_cast<BasicBlock *>(Counter.getParent());
  ConstantInt *Step = nullptr;
  if (!Counter.getType()->isIntegerTy() ||
      !match(Counter.getIncomingValueForBlock(Body),
             m_c_Add(m_Specific(&Counter), m_ConstantInt(Step))))
    return nullptr;
  Value *Times = Builder.CreateZExtOrTrunc(Turns, Counter.getType());
  return Builder.CreateAdd(
      Counter.getIncomingValueForBlock(Before),
      Builder.CreateMul(Times,
                        ConstantInt::get(Counter.getType(), Step->getValue())));
}

PreservedAnalyses
CountBitsLikeNvccPass::run(Loop &L, LoopAnalysisManager &,
                           LoopStandardAnalysisResults &Results, LPMUpdater &) {
  BasicBlock *Body = L.getHeader();
  PHINode *Number = countedNumber(L);
  if (!Number || !Body->getModule()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  BasicBlock *Before = L.getLoopPreheader();
  IRBuilder<> Builder(Before->getTerminator());
  Value *Turns = Builder.CreateUnaryIntrinsic(
      Intrinsic::ctpop, Number->getIncomingValueForBlock(Before));
  for (PHINode &Counter : Body->phis()) {
    Value *Last = &Counter == Number
                      ? ConstantInt::get(Number->getType(), 0)
                      : lastCount(Counter, Turns, Before, Builder);
    if (!Last)
      continue;
    Counter.getIncomingValueForBlock(Body)->replaceUsesOutsideBlock(Last, Body);
  }
  Results.SE.forgetLoop(&L);
  return getLoopPassPreservedAnalyses();
}
