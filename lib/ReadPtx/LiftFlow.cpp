//===- LiftFlow.cpp - PTX branches and calls to LLVM IR -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/IR/Module.h"

using namespace gpuocc;
using namespace llvm;

static bool liftBranch(FunctionLifter &L, const PtxStatement &S,
                       const PtxMnemonic &Op) {
  if (S.Operands.size() != 1)
    return false;
  BasicBlock *To = L.label(S.Operands[0].Name);
  if (!To)
    return true;
  if (S.Guard.empty()) {
    L.Builder.CreateBr(To);
    L.startUnreachable();
    return true;
  }
  PtxOperand Guard;
  Guard.K = PtxOperand::Kind::Name;
  Guard.Name = S.Guard;
  Value *Holds = L.read(Guard, L.Builder.getInt1Ty());
  BasicBlock *Next =
      BasicBlock::Create(L.Builder.getContext(), "", &L.function());
  Next->moveAfter(L.Builder.GetInsertBlock());
  // The first side stays the one that is jumped to.
  if (S.GuardNegated)
    Holds = L.Builder.CreateNot(Holds);
  L.Builder.CreateCondBr(Holds, To, Next);
  L.Builder.SetInsertPoint(Next);
  return true;
}

/// "brx.idx %r1, targets": no index is out of range.
static bool liftIndexedBranch(FunctionLifter &L, const PtxStatement &S,
                              const PtxMnemonic &Op) {
  if (S.Operands.size() != 2 || !S.Guard.empty())
    return false;
  const PtxStatement *Targets = L.targets(S.Operands[1].Name);
  if (!Targets) {
    L.failUnknown("table of targets", S.Operands[1].Name);
    return true;
  }
  BasicBlock *Never =
      BasicBlock::Create(L.Builder.getContext(), "", &L.function());
  new UnreachableInst(L.Builder.getContext(), Never);
  SwitchInst *Switch =
      L.Builder.CreateSwitch(L.read(S.Operands[0], L.intType(32)), Never,
                             unsigned(Targets->Operands.size()));
  for (auto [I, Target] : enumerate(Targets->Operands)) {
    BasicBlock *To = L.label(Target.Name);
    if (!To)
      return true;
    Switch->addCase(L.Builder.getInt32(uint32_t(I)), To);
  }
  L.startUnreachable();
  return true;
}

static bool liftReturn(FunctionLifter &L, const PtxStatement &S,
                       const PtxMnemonic &Op) {
  // In a function, "exit" ends its thread.
  if (Op.first() == "exit" &&
      L.function().getCallingConv() != CallingConv::PTX_Kernel) {
    if (!L.intrinsic("llvm.nvvm.exit", {}))
      return false;
    L.Builder.CreateUnreachable();
  } else {
    L.liftReturn();
  }
  L.startUnreachable();
  return true;
}

static bool liftTrap(FunctionLifter &L, const PtxStatement &S,
                     const PtxMnemonic &Op) {
  return L.intrinsic("llvm.trap", {});
}

/// Where the operand of a call is kept, and its type; nothing for constants.
static Value *argument(FunctionLifter &L, const PtxOperand &O) {
  const PtxStorage *P = L.parameter(O.Name);
  if (P && P->Declared->NumElements)
    return P->Where;
  if (P)
    return L.Builder.CreateLoad(L.symbols().parameterType(*P->Declared),
                                P->Where);
  Type *T = L.registerType(O);
  return L.read(O, T ? T : L.intType(32));
}

/// "call (result), f, (a, b)"; through a register, with the types of the
/// operands.
static bool liftCall(FunctionLifter &L, const PtxStatement &S,
                     const PtxMnemonic &Op) {
  using Kind = PtxOperand::Kind;
  if (S.Operands.empty())
    return false;
  const bool HasResult = S.Operands[0].K == Kind::List;
  const size_t At = HasResult ? 1 : 0;
  if (S.Operands.size() <= At || !S.Operands[At].isName() ||
      (HasResult && S.Operands[0].Elements.size() != 1))
    return false;
  SmallVector<Value *, 8> Arguments;
  const PtxOperand *Result = HasResult ? &S.Operands[0].Elements[0] : nullptr;
  const PtxStorage *Storage = Result ? L.parameter(Result->Name) : nullptr;
  const bool InMemory = Storage && Storage->Declared->NumElements;
  if (InMemory)
    Arguments.push_back(Storage->Where);
  if (S.Operands.size() > At + 1 && S.Operands[At + 1].K == Kind::List)
    for (const PtxOperand &O : S.Operands[At + 1].Elements)
      Arguments.push_back(argument(L, O));
  Type *Returned = Type::getVoidTy(L.Builder.getContext());
  if (Result && !InMemory)
    Returned = Storage ? L.symbols().parameterType(*Storage->Declared)
                       : L.registerType(*Result);
  if (!Returned) {
    L.failUnknown("register", Result->Name);
    return true;
  }
  SmallVector<Type *, 8> Types;
  for (Value *A : Arguments)
    Types.push_back(A->getType());
  FunctionType *FT = FunctionType::get(Returned, Types, false);
  Function *Callee = L.symbols().function(S.Operands[At].Name);
  Value *Called = Callee;
  if (!Callee)
    Called = L.read(S.Operands[At],
                    PointerType::get(L.Builder.getContext(), GenericSpace));
  else if (Callee->getFunctionType() != FT)
    return false;
  CallInst *Call = L.Builder.CreateCall(FT, Called, Arguments);
  if (Callee)
    Call->setAttributes(
        Callee->getAttributes().removeFnAttributes(Call->getContext()));
  if (Storage && !InMemory)
    L.Builder.CreateStore(Call, Storage->Where);
  else if (Result && !InMemory)
    L.write(*Result, Call);
  return true;
}

ArrayRef<LiftRow> gpuocc::flowRows() {
  static constexpr LiftRow Rows[] = {
      {"bra", liftBranch},  {"brx", liftIndexedBranch}, {"ret", liftReturn},
      {"exit", liftReturn}, {"trap", liftTrap},         {"call", liftCall}};
  return Rows;
}
