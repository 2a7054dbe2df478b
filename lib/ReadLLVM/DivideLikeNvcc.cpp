//===- DivideLikeNvcc.cpp - Divisions by powers of two in loops -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChangeEach.h"
#include "gpuocc/ReadLLVM/LikeNvcc.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/TargetParser/Triple.h"

using namespace gpuocc;
using namespace llvm;
using namespace llvm::PatternMatch;

/// Functions that stand for divisions: this and the name of the opcode.
static constexpr StringLiteral StandIn = "gpuocc.";

static bool isDivision(const BinaryOperator &I) {
  return I.isIntDivRem() && I.getType()->isIntegerTy();
}

/// Is \p V, which the loop of \p Phi computes, \p Phi times a power of two?
static bool isPowerTimes(const Value *V, const PHINode *Phi) {
  const Value *Of = nullptr;
  return match(V, m_Shl(m_Value(Of), m_ConstantInt())) ||
                 match(V, m_c_Mul(m_Value(Of), m_Power2()))
             ? Of == Phi
             : V == Phi;
}

/// A variable that begins with a power of two and is multiplied by powers of
/// two, or such a variable times a power of two.
static bool isGrowingPower(const Value *V) {
  constexpr unsigned MaxFactors = 4;
  const Value *Of = V;
  for (unsigned I = 0; I != MaxFactors; ++I) {
    const Value *Factor = nullptr;
    if (!match(Of, m_ZExtOrSExt(m_Value(Factor))) &&
        !match(Of, m_Shl(m_Value(Factor), m_ConstantInt())) &&
        !match(Of, m_c_Mul(m_Value(Factor), m_Power2())))
      break;
    Of = Factor;
  }
  const auto *Phi = dyn_cast<PHINode>(Of);
  return Phi && Phi->getNumIncomingValues() > 1 &&
         all_of(Phi->incoming_values(), [&](const Value *In) {
           return match(In, m_Power2()) || (In != Phi && isPowerTimes(In, Phi));
         });
}

static bool hide(BinaryOperator &I) {
  if (!isDivision(I) || !isGrowingPower(I.getOperand(1)))
    return false;
  Type *Ty = I.getType();
  FunctionCallee Callee = I.getModule()->getOrInsertFunction(
      (StandIn + I.getOpcodeName() + "." + Twine(Ty->getIntegerBitWidth()))
          .str(),
      FunctionType::get(Ty, {Ty, Ty}, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotAccessMemory();
  F->setDoesNotThrow();
  F->setWillReturn();
  F->addFnAttr(Attribute::NoCallback);
  IRBuilder<> Builder(&I);
  I.replaceAllUsesWith(
      Builder.CreateCall(Callee, {I.getOperand(0), I.getOperand(1)}));
  I.eraseFromParent();
  return true;
}

static bool show(CallInst &Call) {
  const Function *F = Call.getCalledFunction();
  StringRef Name = F ? F->getName() : "";
  if (!Name.consume_front(StandIn))
    return false;
  const auto Opcode =
      StringSwitch<Instruction::BinaryOps>(Name.split('.').first)
          .Case("udiv", Instruction::UDiv)
          .Case("sdiv", Instruction::SDiv)
          .Case("urem", Instruction::URem)
          .Case("srem", Instruction::SRem)
          .Default(Instruction::BinaryOpsEnd);
  if (Opcode == Instruction::BinaryOpsEnd)
    return false;
  IRBuilder<> Builder(&Call);
  Call.replaceAllUsesWith(Builder.CreateBinOp(Opcode, Call.getArgOperand(0),
                                              Call.getArgOperand(1)));
  Call.eraseFromParent();
  return true;
}

PreservedAnalyses HideDivisionsLikeNvccPass::run(Function &F,
                                                 FunctionAnalysisManager &) {
  if (!F.getParent()->getTargetTriple().isNVPTX())
    return PreservedAnalyses::all();
  return changeEach<BinaryOperator>(F, hide);
}

PreservedAnalyses ShowDivisionsLikeNvccPass::run(Function &F,
                                                 FunctionAnalysisManager &) {
  return changeEach<CallInst>(F, show);
}
