//===- LowerIntrinsics.cpp - Intrinsics of NVPTX as code of the host ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "State.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

Value *CallLowering::callRuntime(StringRef Name, Type *Result,
                                 ArrayRef<Value *> Operands) {
  SmallVector<Type *, 8> Types;
  for (Value *V : Operands)
    Types.push_back(V->getType());
  return Builder.CreateCall(module().getOrInsertFunction(
                                Name, FunctionType::get(Result, Types, false)),
                            Operands);
}

Value *CallLowering::field(Value *Base, uint64_t Offset, Type *T) {
  LoadInst *Load = Builder.CreateLoad(
      T, Builder.CreateConstInBoundsGEP1_64(Builder.getInt8Ty(), Base, Offset));
  Load->setMetadata(LLVMContext::MD_invariant_load,
                    MDNode::get(Builder.getContext(), {}));
  return Load;
}

Value *CallLowering::block() {
  return field(thread(), offsetof(ThreadState, Block), Builder.getPtrTy());
}

Value *gpuocc::execute::lowerIntrinsic(CallLowering &L, StringRef Name) {
  using Lowering = Value *(CallLowering &, StringRef);
  for (Lowering *Lower :
       {lowerSpecialRegister, lowerMeeting, lowerArithmetic, lowerMemory,
        lowerMatrix, static_cast<Lowering *>(lowerMemoryBarrier)})
    if (Value *V = Lower(L, Name))
      return V;
  return nullptr;
}

/// Where \p Call stands in the source: " (a.cu:12)", or nothing.
static std::string placeOf(const CallInst &Call) {
  const DebugLoc &Where = Call.getDebugLoc();
  if (!Where)
    return "";
  return (" (" + Where->getFilename() + ":" + Twine(Where.getLine()) + ")")
      .str();
}

static Error cannotRun(const CallInst &Call, const Twine &What) {
  return createStringError("uses " + What + placeOf(Call) +
                           ", which cannot be run on the host");
}

/// Intrinsics of LLVM that mean the same to every target, or nothing here.
static bool isOfEveryTarget(StringRef Name) {
  return Name.starts_with("llvm.") && !Name.starts_with("llvm.nvvm.") &&
         Name != "llvm.trap" && Name != "llvm.debugtrap";
}

static Expected<Value *> lowerCall(CallLowering &L) {
  if (const auto *Assembly = dyn_cast<InlineAsm>(L.Call.getCalledOperand())) {
    if (Value *V = lowerInstruction(L, Assembly->getAsmString()))
      return V;
    return cannotRun(L.Call, "the instruction '" +
                                 StringRef(Assembly->getAsmString()).trim() +
                                 "'");
  }
  const Function *Callee = L.Call.getCalledFunction();
  if (!Callee || !Callee->isDeclaration() || isOfEveryTarget(Callee->getName()))
    return nullptr;
  const StringRef Name = Callee->getName();
  if (Value *V = lowerIntrinsic(L, Name))
    return V;
  if (Name.starts_with("llvm."))
    return cannotRun(L.Call, "the intrinsic '" + Name + "'");
  return cannotRun(L.Call, "the function '" + demangle(Name) +
                               "', which no module of the program defines,");
}

Expected<Needs> gpuocc::execute::lowerOperations(Module &M,
                                                 const SharedLayout &Layout) {
  Needs Found;
  SmallVector<CallInst *, 64> Calls;
  for (Function &F : M)
    for (BasicBlock &B : F)
      for (Instruction &I : B)
        if (auto *Call = dyn_cast<CallInst>(&I))
          Calls.push_back(Call);
  for (CallInst *Call : Calls) {
    CallLowering L(*Call, Layout, Found);
    Expected<Value *> New = lowerCall(L);
    if (!New)
      return New.takeError();
    if (!*New)
      continue;
    if (!Call->getType()->isVoidTy())
      Call->replaceAllUsesWith(*New);
    Call->eraseFromParent();
  }
  return Found;
}
