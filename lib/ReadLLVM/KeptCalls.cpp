//===- KeptCalls.cpp - Calls that only we inline --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptCalls.h"
#include "InlineBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include <string>

using namespace gpuocc;
using namespace llvm;

static constexpr unsigned RegisterBits = 32;

/// Do all calls of the function that \p Call calls, in the same caller, pass
/// what it passes as argument \p Number?
static bool isAlwaysPassed(const CallBase &Call, unsigned Number) {
  return all_of(Call.getCalledFunction()->users(), [&](const User *U) {
    const auto *Other = dyn_cast<CallBase>(U);
    return !Other || Other->getFunction() != Call.getFunction() ||
           Other->getArgOperand(Number) == Call.getArgOperand(Number);
  });
}

/// Is argument \p Number of \p Call, a value, needed behind the call too?
static bool staysInCaller(const CallBase &Call, unsigned Number) {
  const Value *V = Call.getArgOperand(Number);
  const auto *I = dyn_cast<Instruction>(V);
  return !V->hasOneUse() || (I && I->getParent() != Call.getParent());
}

/// Registers of arguments of \p Call that are moved to those of its callee: of
/// what stays in those of the caller, and of constants. Others are computed
/// where the callee wants them, and what every call passes is there.
static uint64_t movedRegisters(const CallBase &Call) {
  const DataLayout &Layout = Call.getDataLayout();
  uint64_t Moved = 0;
  for (unsigned Number = 0; Number != Call.arg_size(); ++Number) {
    const Value *V = Call.getArgOperand(Number);
    if (!isAlwaysPassed(Call, Number) &&
        (isa<Constant>(V) || staysInCaller(Call, Number)))
      Moved += divideCeil(
          Layout.getTypeSizeInBits(V->getType()).getFixedValue(), RegisterBits);
  }
  return Moved;
}

static bool isAboutToBeInlined(const CallBase &Call) {
  Function *Callee = Call.getCalledFunction();
  return Callee && isInlined(*Callee) && !Call.hasFnAttr(Attribute::NoInline) &&
         isInlineViable(*Callee).isSuccess();
}

void gpuocc::keepCalls(Module &M) {
  SmallVector<CallBase *, 16> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I);
          Call && isAboutToBeInlined(*Call))
        Calls.push_back(Call);
  FunctionType *Plain =
      FunctionType::get(Type::getVoidTy(M.getContext()), false);
  for (CallBase *Call : Calls) {
    std::string Text = "call;";
    for (uint64_t Moved = movedRegisters(*Call); Moved != 0; --Moved)
      Text += "mov.argument;";
    auto *Kept = CallInst::Create(
        InlineAsm::get(Plain, Text, "~{memory}", /*hasSideEffects=*/true), "",
        Call->getIterator());
    Kept->setDebugLoc(Call->getDebugLoc());
  }
}
