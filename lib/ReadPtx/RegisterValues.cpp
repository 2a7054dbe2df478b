//===- RegisterValues.cpp - Operands of PTX as IR values ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace gpuocc;
using namespace llvm;

Type *FunctionLifter::typeOf(const PtxType &T) {
  const auto [Scalar, Length] = T.Text.split('x');
  Type *Element = nullptr;
  if (Scalar == "f16")
    Element = Builder.getHalfTy();
  else if (Scalar == "bf16")
    Element = Builder.getBFloatTy();
  else if (Scalar == "f32")
    Element = Builder.getFloatTy();
  else if (Scalar == "f64")
    Element = Builder.getDoubleTy();
  else if (Scalar == "s16" || Scalar == "u16")
    Element = Builder.getInt16Ty();
  unsigned Count = 0;
  if (Element && !Length.empty() && !Length.getAsInteger(10, Count))
    return FixedVectorType::get(Element, Count);
  if (Element && Length.empty())
    return Element;
  return intType(std::max(1u, T.Bits));
}

Value *FunctionLifter::convert(Value *V, Type *T, bool SignExtend) {
  if (V->getType() == T)
    return V;
  if (V->getType()->isPointerTy())
    V = Builder.CreatePtrToInt(
        V, Symbols.To.getDataLayout().getIntPtrType(V->getType()));
  if (T->isPointerTy())
    return Builder.CreateIntToPtr(V, T);
  const unsigned From = V->getType()->getPrimitiveSizeInBits();
  const unsigned To = T->getPrimitiveSizeInBits();
  if (From != To) {
    V = Builder.CreateBitCast(V, intType(From));
    V = SignExtend ? Builder.CreateSExtOrTrunc(V, intType(To))
                   : Builder.CreateZExtOrTrunc(V, intType(To));
  }
  return Builder.CreateBitCast(V, T);
}

AllocaInst *FunctionLifter::findRegister(StringRef Name) {
  const StringRef Stem = Name.rtrim("0123456789");
  unsigned Number = 0;
  const bool IsNumbered =
      !Name.drop_front(Stem.size()).getAsInteger(10, Number);
  for (unsigned Index = Current;; Index = Scopes[Index].Parent) {
    Scope &S = Scopes[Index];
    if (AllocaInst *A = S.Registers.lookup(Name))
      return A;
    if (IsNumbered)
      if (const PtxVariable *V = S.Ranges.lookup(Stem);
          V && Number < V->NumRegisters)
        return S.Registers[Name] = addRegister(Name, *V);
    if (Index == 0)
      return nullptr;
  }
}

const PtxStorage *FunctionLifter::findVariable(StringRef Name) {
  for (unsigned S = Current;; S = Scopes[S].Parent) {
    auto It = Scopes[S].Variables.find(Name);
    if (It != Scopes[S].Variables.end())
      return &It->second;
    if (S == 0)
      return Symbols.variable(Name);
  }
}

const PtxStorage *FunctionLifter::parameter(StringRef Name) {
  const PtxStorage *S = findVariable(Name);
  return S && S->Declared->Space == "param" ? S : nullptr;
}

Type *FunctionLifter::registerType(const PtxOperand &O) {
  if (O.K == PtxOperand::Kind::Vector)
    return O.Elements.empty() ? nullptr : registerType(O.Elements.front());
  if (!O.isName())
    return nullptr;
  AllocaInst *A = findRegister(O.Name);
  return A ? A->getAllocatedType() : nullptr;
}

Value *FunctionLifter::intrinsic(const Twine &Name, ArrayRef<Value *> Operands,
                                 ArrayRef<Type *> Overloads) {
  const std::string Text = Name.str();
  const Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(Text);
  if (ID == Intrinsic::not_intrinsic ||
      Intrinsic::isOverloaded(ID) == Overloads.empty())
    return nullptr;
  // Names of others may begin with that of an intrinsic.
  if (!Intrinsic::isOverloaded(ID) && Intrinsic::getName(ID) != Text)
    return nullptr;
  Function *F = Intrinsic::getOrInsertDeclaration(&Symbols.To, ID, Overloads);
  if (F->arg_size() != Operands.size())
    return nullptr;
  SmallVector<Value *, 8> Arguments;
  for (auto [A, V] : zip(F->args(), Operands)) {
    Type *From = V->getType(), *To = A.getType();
    if (From->isPointerTy()
            ? From != To
            : To->isPointerTy() || From->getPrimitiveSizeInBits() !=
                                       To->getPrimitiveSizeInBits())
      return nullptr;
    Arguments.push_back(convert(V, To));
  }
  return Builder.CreateCall(F, Arguments);
}

/// "%tid.x", "%laneid", "WARP_SZ".
Value *FunctionLifter::specialRegister(StringRef Name) {
  if (Name == "WARP_SZ")
    return Builder.getInt32(32);
  if (!Name.starts_with("%"))
    return nullptr;
  std::string Dotted = Name.drop_front().str();
  std::replace(Dotted.begin(), Dotted.end(), '_', '.');
  if (Value *V = intrinsic("llvm.nvvm.read.ptx.sreg." + Dotted, {}))
    return V;
  static constexpr StringLiteral Others[] = {"%nsmid",
                                             "%pm",
                                             "%envreg",
                                             "%total_smem_size",
                                             "%aggr_smem_size",
                                             "%dynamic_smem_size",
                                             "%clock_hi",
                                             "%cluster",
                                             "%is_explicit_cluster",
                                             "%reserved_smem",
                                             "%current_graph_exec",
                                             "%warpid",
                                             "%smid",
                                             "%gridid"};
  if (none_of(Others, [&](StringRef Other) { return Name.starts_with(Other); }))
    return nullptr;
  const bool IsWide = Name.contains("64") || Name == "%current_graph_exec";
  Type *T = intType(IsWide ? 64 : 32);
  const std::string Text =
      ((IsWide ? "mov.u64 $0, " : "mov.u32 $0, ") + Name + ";").str();
  return Builder.CreateCall(InlineAsm::get(FunctionType::get(T, false), Text,
                                           IsWide ? "=l" : "=r",
                                           /*hasSideEffects=*/true));
}

Value *FunctionLifter::readName(const PtxOperand &O, Type *T) {
  if (AllocaInst *A = findRegister(O.Name)) {
    Value *V = convert(Builder.CreateLoad(A->getAllocatedType(), A), T);
    if (!O.Negated)
      return V;
    if (!T->isIntOrIntVectorTy()) {
      Symbols.fail(Place, "'!' before '" + O.Name + "', which is no predicate");
      return PoisonValue::get(T);
    }
    return Builder.CreateNot(V);
  }
  if (const PtxStorage *S = findVariable(O.Name)) {
    Value *Where = S->Where;
    if (S->IsArgument && !Where->getType()->isPointerTy()) {
      Symbols.fail(Place,
                   "the address of parameter '" + O.Name + "' cannot be taken");
      return PoisonValue::get(T);
    }
    if (S->Declared->Space == "local")
      Where = Builder.CreateAddrSpaceCast(
          Where, PointerType::get(To.getContext(), LocalSpace));
    if (S->Declared->Space == "param" && From.IsKernel)
      Where = Builder.CreateAddrSpaceCast(
          Where, PointerType::get(To.getContext(), ParameterSpace));
    if (O.Number != 0)
      Where = Builder.CreatePtrAdd(Where, Builder.getInt64(uint64_t(O.Number)));
    return convert(Where, T);
  }
  if (Function *F = Symbols.function(O.Name))
    return convert(F, T);
  if (Value *V = specialRegister(O.Name))
    return convert(V, T);
  failUnknown(O.Name.starts_with("%") ? "register" : "name", O.Name);
  return PoisonValue::get(T);
}

/// Are \p Parts of \p T the halves of 64 bits, which have instructions?
static bool isPair(Type *T, unsigned Parts) {
  return Parts == 2 && !T->isVectorTy() && T->getPrimitiveSizeInBits() == 64;
}

/// "{a, b}": the parts of a wider register, lowest first.
Value *FunctionLifter::readParts(const PtxOperand &O, Type *T) {
  const unsigned Bits = T->getPrimitiveSizeInBits();
  const unsigned Parts = unsigned(O.Elements.size());
  if (Parts == 0 || Bits % Parts != 0) {
    Symbols.fail(Place, "a vector that does not fit its type");
    return PoisonValue::get(T);
  }
  Type *Part = intType(Bits / Parts);
  if (isPair(T, Parts))
    return convert(intrinsic("llvm.nvvm.lohi.i2d", {read(O.Elements[0], Part),
                                                    read(O.Elements[1], Part)}),
                   T);
  Value *All = PoisonValue::get(FixedVectorType::get(Part, Parts));
  for (unsigned I = 0; I != Parts; ++I)
    All = Builder.CreateInsertElement(All, read(O.Elements[I], Part), I);
  return Builder.CreateBitCast(All, T);
}

Value *FunctionLifter::readFloat(const PtxOperand &O, Type *T) {
  const unsigned Bits = T->getPrimitiveSizeInBits();
  const APInt Raw(O.FloatBits, uint64_t(O.Number));
  if (Bits == O.FloatBits || !T->isFloatingPointTy())
    return convert(Builder.getInt(Raw), T);
  bool LosesInfo = false;
  APFloat Number(
      O.FloatBits == 32 ? APFloat::IEEEsingle() : APFloat::IEEEdouble(), Raw);
  Number.convert(T->getFltSemantics(), APFloat::rmNearestTiesToEven,
                 &LosesInfo);
  return ConstantFP::get(T, Number);
}

Value *FunctionLifter::read(const PtxOperand &O, Type *T) {
  if (T->isPointerTy() && !O.isName())
    return convert(read(O, Symbols.To.getDataLayout().getIntPtrType(T)), T);
  switch (O.K) {
  case PtxOperand::Kind::Name:
    return readName(O, T);
  case PtxOperand::Kind::Integer: {
    const unsigned Bits = T->getPrimitiveSizeInBits();
    const APInt Value(std::max(Bits, 64u), uint64_t(O.Number),
                      /*isSigned=*/true);
    return convert(Builder.getInt(Value.trunc(Bits)), T);
  }
  case PtxOperand::Kind::Float:
    return readFloat(O, T);
  case PtxOperand::Kind::Vector:
    return readParts(O, T);
  default:
    Symbols.fail(Place, "an operand that is no value");
    return PoisonValue::get(T);
  }
}

void FunctionLifter::writeParts(const PtxOperand &O, Value *V) {
  const unsigned Parts = unsigned(O.Elements.size());
  const unsigned Bits = V->getType()->getPrimitiveSizeInBits();
  if (Parts == 0 || Bits % Parts != 0) {
    Symbols.fail(Place, "a vector that does not fit its type");
    return;
  }
  if (isPair(V->getType(), Parts)) {
    Value *Whole = convert(V, Builder.getDoubleTy());
    write(O.Elements[0], intrinsic("llvm.nvvm.d2i.lo", {Whole}));
    write(O.Elements[1], intrinsic("llvm.nvvm.d2i.hi", {Whole}));
    return;
  }
  auto *Vector = dyn_cast<FixedVectorType>(V->getType());
  if (!Vector || Vector->getNumElements() != Parts)
    V = Builder.CreateBitCast(
        V, FixedVectorType::get(intType(Bits / Parts), Parts));
  for (unsigned I = 0; I != Parts; ++I)
    write(O.Elements[I], Builder.CreateExtractElement(V, I));
}

void FunctionLifter::write(const PtxOperand &O, Value *V, bool SignExtend) {
  if (O.K == PtxOperand::Kind::Vector)
    return writeParts(O, V);
  if (!O.isName()) {
    Symbols.fail(Place, "expected a register that gets the result");
    return;
  }
  if (O.Name == "_")
    return;
  AllocaInst *A = findRegister(O.Name);
  if (!A)
    return failUnknown("register", O.Name);
  Builder.CreateStore(convert(V, A->getAllocatedType(), SignExtend), A);
}

Value *FunctionLifter::address(const PtxOperand &O, unsigned AddressSpace) {
  PointerType *P = PointerType::get(To.getContext(), AddressSpace);
  Type *Int = Symbols.To.getDataLayout().getIntPtrType(P);
  if (O.Name.empty())
    return Builder.CreateIntToPtr(
        Builder.getIntN(Int->getIntegerBitWidth(), uint64_t(O.Number)), P);
  if (!findRegister(O.Name))
    if (const PtxStorage *S = findVariable(O.Name)) {
      Value *Where = S->Where;
      if (O.Number != 0)
        Where =
            Builder.CreatePtrAdd(Where, Builder.getInt64(uint64_t(O.Number)));
      const bool IsOnStack = S->Declared->Space == "local";
      return IsOnStack || Where->getType() == P
                 ? Where
                 : Builder.CreateAddrSpaceCast(Where, P);
    }
  PtxOperand Base = O;
  Base.K = PtxOperand::Kind::Name;
  Base.Number = 0;
  Value *V = read(Base, Int);
  if (O.Number != 0)
    V = Builder.CreateAdd(
        V, Builder.getIntN(Int->getIntegerBitWidth(), uint64_t(O.Number)));
  return Builder.CreateIntToPtr(V, P);
}
