//===- LiftMemory.cpp - PTX loads and stores to LLVM IR -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/IR/Module.h"

using namespace gpuocc;
using namespace llvm;

/// The address space that a load or store names.
static unsigned spaceOf(const PtxMnemonic &Op) {
  for (StringRef Word : drop_begin(Op.Words))
    if (const unsigned Space = addressSpaceOf(Word); Space != GenericSpace)
      return Space;
  return GenericSpace;
}

/// Accesses whose order matters.
static bool isOrdered(const PtxMnemonic &Op) {
  for (StringRef Word : {"volatile", "relaxed", "acquire", "release", "mmio"})
    if (Op.has(Word))
      return true;
  return false;
}

/// The type of one element in memory: floating-point numbers where the
/// register is one.
static Type *elementType(FunctionLifter &L, const PtxMnemonic &Op,
                         const PtxOperand &Register) {
  const PtxType T = Op.type();
  if (T.Text == "f32" || T.Text == "f64")
    return L.typeOf(T);
  Type *Kept = L.registerType(Register);
  if (Kept && Kept->isFloatingPointTy() &&
      Kept->getPrimitiveSizeInBits() == T.Bits)
    return Kept;
  return L.intType(T.Bits);
}

/// Elements of ".v2", ".v4" or ".v8".
static unsigned vectorLength(const PtxMnemonic &Op) {
  for (auto [Word, Length] : {std::pair("v2", 2u), {"v4", 4u}, {"v8", 8u}})
    if (Op.has(Word))
      return Length;
  return 1;
}

/// What is accessed at once.
static Type *accessType(FunctionLifter &L, const PtxMnemonic &Op,
                        const PtxOperand &Register) {
  Type *Element = elementType(L, Op, Register);
  const unsigned Length = vectorLength(Op);
  return Length == 1 ? Element : FixedVectorType::get(Element, Length);
}

/// A parameter that is an argument: the bits of it that are read. The backend
/// loads arguments at the entry; a freeze, which copies one, keeps the place
/// where the code loads it.
static Value *readArgument(FunctionLifter &L, const PtxStorage &P,
                           int64_t Offset, Type *T) {
  Value *Argument = L.Builder.CreateFreeze(P.Where);
  Value *Whole =
      L.convert(Argument, L.intType(L.symbols()
                                        .To.getDataLayout()
                                        .getTypeSizeInBits(P.Where->getType())
                                        .getFixedValue()));
  const unsigned Bits = Whole->getType()->getIntegerBitWidth();
  if (Offset < 0 || uint64_t(Offset) * 8 >= Bits)
    return PoisonValue::get(T);
  if (Offset != 0)
    Whole = L.Builder.CreateLShr(Whole, uint64_t(Offset) * 8);
  return P.Where->getType() == T ? Argument : L.convert(Whole, T);
}

/// The alignment of what lies \p Offset bytes into \p P.
static Align alignmentAt(const PtxStorage &P, int64_t Offset) {
  const PtxVariable &V = *P.Declared;
  const unsigned Bytes =
      V.AlignBytes ? V.AlignBytes : std::max(1u, V.Type.Bits / 8);
  return isPowerOf2_32(Bytes) ? commonAlignment(Align(Bytes), uint64_t(Offset))
                              : Align(1);
}

/// The type of \p P, a scalar that is passed to or from a function, if \p T at
/// \p Offset is all of it; else null.
static Type *wholeType(const PtxStorage &P, Type *T, int64_t Offset) {
  auto *A = dyn_cast<AllocaInst>(P.Where);
  if (!A || P.Declared->NumElements || Offset != 0 || T->isVectorTy())
    return nullptr;
  Type *Whole = A->getAllocatedType();
  const bool IsWhole = Whole->isPointerTy() ? T->isIntegerTy(64)
                                            : Whole->getPrimitiveSizeInBits() ==
                                                  T->getPrimitiveSizeInBits();
  return IsWhole ? Whole : nullptr;
}

/// "ld.param": of a kernel's arguments, or of what is passed to functions.
static Value *loadParameter(FunctionLifter &L, const PtxOperand &Address,
                            Type *T) {
  const PtxOperand From = L.addresses().inParameter(Address);
  const PtxStorage *P = L.parameter(From.Name);
  if (!P)
    return L.Builder.CreateLoad(T, L.address(From, ParameterSpace));
  if (P->IsArgument && !T->isVectorTy())
    return readArgument(L, *P, From.Number, T);
  if (Type *Whole = wholeType(*P, T, From.Number))
    return L.convert(L.Builder.CreateLoad(Whole, P->Where), T);
  return L.Builder.CreateAlignedLoad(
      T,
      From.Number == 0
          ? P->Where
          : L.Builder.CreatePtrAdd(P->Where,
                                   L.Builder.getInt64(uint64_t(From.Number))),
      alignmentAt(*P, From.Number));
}

static bool liftLoad(FunctionLifter &L, const PtxStatement &S,
                     const PtxMnemonic &Op) {
  const PtxType Element = Op.type();
  if (S.Operands.size() < 2 || Element.Bits == 0 ||
      S.Operands[1].K != PtxOperand::Kind::Address)
    return false;
  Type *T = accessType(L, Op, S.Operands[0]);
  const unsigned Space = spaceOf(Op);
  Value *V = nullptr;
  if (Space == ParameterSpace) {
    V = loadParameter(L, S.Operands[1], T);
  } else {
    LoadInst *Load =
        L.Builder.CreateLoad(T, L.address(S.Operands[1], Space), isOrdered(Op));
    // LLVM has no volatile load that acquires.
    if (Op.acquires() && !T->isVectorTy()) {
      Load->setVolatile(false);
      Load->setAtomic(AtomicOrdering::Acquire,
                      Load->getContext().getOrInsertSyncScopeID(
                          Op.has("gpu") ? "device" : ""));
    }
    if (Op.has("nc"))
      Load->setMetadata(LLVMContext::MD_invariant_load,
                        MDNode::get(Load->getContext(), {}));
    V = Load;
  }
  L.write(S.Operands[0], V, Element.isSigned());
  return true;
}

/// What is stored, as one value.
static Value *storedValue(FunctionLifter &L, const PtxOperand &O, Type *T) {
  auto *Vector = dyn_cast<FixedVectorType>(T);
  if (!Vector || O.K != PtxOperand::Kind::Vector ||
      O.Elements.size() != Vector->getNumElements())
    return L.read(O, T);
  Value *All = PoisonValue::get(T);
  for (unsigned I = 0; I != O.Elements.size(); ++I)
    All = L.Builder.CreateInsertElement(
        All, L.read(O.Elements[I], Vector->getElementType()), I);
  return All;
}

static bool liftStore(FunctionLifter &L, const PtxStatement &S,
                      const PtxMnemonic &Op) {
  if (S.Operands.size() < 2 || Op.type().Bits == 0 ||
      S.Operands[0].K != PtxOperand::Kind::Address)
    return false;
  Value *V = storedValue(L, S.Operands[1], accessType(L, Op, S.Operands[1]));
  const unsigned Space = spaceOf(Op);
  if (Op.releases() && Space != SharedSpace)
    L.intrinsic("llvm.nvvm.membar.gl", {});
  if (Space != ParameterSpace) {
    L.Builder.CreateStore(V, L.address(S.Operands[0], Space), isOrdered(Op));
    return true;
  }
  const PtxStorage *P = L.parameter(S.Operands[0].Name);
  if (!P) {
    L.failUnknown("parameter", S.Operands[0].Name);
    return true;
  }
  if (Type *Whole = wholeType(*P, V->getType(), S.Operands[0].Number)) {
    L.Builder.CreateStore(L.convert(V, Whole), P->Where);
    return true;
  }
  L.Builder.CreateAlignedStore(
      V,
      L.Builder.CreatePtrAdd(
          P->Where, L.Builder.getInt64(uint64_t(S.Operands[0].Number))),
      alignmentAt(*P, S.Operands[0].Number));
  return true;
}

ArrayRef<LiftRow> gpuocc::memoryRows() {
  static constexpr LiftRow Rows[] = {
      {"ld", liftLoad}, {"ldu", liftLoad}, {"st", liftStore}};
  return Rows;
}
