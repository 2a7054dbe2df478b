//===- ThreadParameter.cpp - Functions that know their thread -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "llvm/IR/InlineAsm.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

/// Attributes that hold of code for a GPU only, or no longer when functions
/// read what is behind their thread.
static constexpr Attribute::AttrKind OutdatedAttributes[] = {
    Attribute::Memory,      Attribute::Convergent,
    Attribute::NoSync,      Attribute::WillReturn,
    Attribute::NoDuplicate, Attribute::Speculatable,
    Attribute::NoFree,      Attribute::MustProgress,
    Attribute::NoRecurse,   Attribute::OptimizeForSize,
    Attribute::OptimizeNone};

static AttributeList withoutOutdated(LLVMContext &Context, AttributeList Old) {
  for (Attribute::AttrKind K : OutdatedAttributes)
    Old = Old.removeFnAttribute(Context, K);
  for (StringRef Name :
       {"target-cpu", "target-features", "uniform-work-group-size",
        "nvvm.kernel", "no-trapping-math"})
    Old = Old.removeFnAttribute(Context, Name);
  return Old;
}

/// \p Old with the attributes of each argument moved by one.
static AttributeList shifted(LLVMContext &Context, AttributeList Old,
                             unsigned NumArguments) {
  Old = withoutOutdated(Context, Old);
  SmallVector<AttributeSet, 8> Arguments = {AttributeSet()};
  for (unsigned I = 0; I != NumArguments; ++I)
    Arguments.push_back(Old.getParamAttrs(I));
  return AttributeList::get(Context, Old.getFnAttrs(), Old.getRetAttrs(),
                            Arguments);
}

static FunctionType *withThread(FunctionType *Old) {
  SmallVector<Type *, 8> Parameters = {
      PointerType::getUnqual(Old->getContext())};
  append_range(Parameters, Old->params());
  return FunctionType::get(Old->getReturnType(), Parameters, Old->isVarArg());
}

static Function *replace(Function &Old) {
  LLVMContext &Context = Old.getContext();
  Function *New =
      Function::Create(withThread(Old.getFunctionType()), Old.getLinkage(),
                       Old.getAddressSpace(), "", Old.getParent());
  New->takeName(&Old);
  New->setAttributes(shifted(Context, Old.getAttributes(), Old.arg_size()));
  New->setVisibility(GlobalValue::DefaultVisibility);
  New->splice(New->begin(), &Old);
  New->getArg(0)->setName("thread");
  for (Argument &A : Old.args()) {
    Argument *B = New->getArg(A.getArgNo() + 1);
    A.replaceAllUsesWith(B);
    B->takeName(&A);
  }
  if (DISubprogram *Program = Old.getSubprogram())
    New->setSubprogram(Program);
  Old.replaceAllUsesWith(New);
  Old.eraseFromParent();
  return New;
}

/// Calls that code makes of code: not of intrinsics, assembly and what the
/// module only declares.
static bool passesThread(const CallBase &Call) {
  if (Call.isInlineAsm())
    return false;
  const auto *Callee =
      dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  return !Callee || !Callee->isDeclaration();
}

static void passThread(CallInst &Call) {
  SmallVector<Value *, 8> Operands = {Call.getFunction()->getArg(0)};
  append_range(Operands, Call.args());
  auto *New = CallInst::Create(withThread(Call.getFunctionType()),
                               Call.getCalledOperand(), Operands, "",
                               Call.getIterator());
  New->setAttributes(
      shifted(Call.getContext(), Call.getAttributes(), Call.arg_size()));
  New->copyMetadata(Call);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

void gpuocc::execute::addThreadParameter(Module &M) {
  SmallVector<Function *, 16> Bodies;
  for (Function &F : M)
    if (!F.isDeclaration())
      Bodies.push_back(&F);
  for (Function *&F : Bodies)
    F = replace(*F);
  for (Function *F : Bodies)
    for (BasicBlock &B : *F)
      for (Instruction &I : make_early_inc_range(B)) {
        auto *Call = dyn_cast<CallInst>(&I);
        if (!Call)
          continue;
        Call->setCallingConv(CallingConv::C);
        if (passesThread(*Call))
          passThread(*Call);
        else
          Call->setAttributes(
              withoutOutdated(M.getContext(), Call->getAttributes()));
      }
}
