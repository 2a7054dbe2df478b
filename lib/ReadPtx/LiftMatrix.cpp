//===- LiftMatrix.cpp - PTX operations on fragments to LLVM IR ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace gpuocc;
using namespace llvm;

/// Reads the registers of fragment \p O, which the intrinsic takes one by one,
/// as the types that it takes from \p Operands on.
static bool readFragment(FunctionLifter &L, const PtxOperand &O,
                         FunctionType *T, SmallVectorImpl<Value *> &Operands) {
  for (const PtxOperand &Element : O.Elements) {
    if (Operands.size() >= T->getNumParams())
      return false;
    Operands.push_back(
        L.read(Element, T->getParamType(unsigned(Operands.size()))));
  }
  return true;
}

/// Writes what intrinsic \p Result returned to the registers of \p To.
static void writeFragment(FunctionLifter &L, const PtxOperand &To,
                          Value *Result) {
  if (To.Elements.size() == 1)
    return L.write(To.Elements[0], Result);
  for (auto [I, Element] : enumerate(To.Elements))
    L.write(Element, L.Builder.CreateExtractValue(Result, unsigned(I)));
}

/// Registers that the structure \p T, or one value, has.
static size_t numResults(Type *T) {
  if (T->isVoidTy())
    return 0;
  return T->isStructTy() ? T->getStructNumElements() : 1;
}

/// "m16n16k16" of \p Op.
static StringRef shapeOf(const PtxMnemonic &Op) {
  for (StringRef Word : Op.Words)
    if (Word.size() > 4 && Word[0] == 'm' && isDigit(Word[1]))
      return Word;
  return StringRef();
}

/// The words of \p Op that are "row" or "col", with dots before them.
static std::string layoutOf(const PtxMnemonic &Op) {
  std::string Text;
  for (StringRef Word : Op.Words)
    if (Word == "row" || Word == "col")
      Text += ("." + Word).str();
  return Text;
}

/// "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {...}, [p], stride" is
/// llvm.nvvm.wmma.m16n16k16.load.a.row.stride.f16.p1.
static bool liftFragmentAccess(FunctionLifter &L, const PtxStatement &S,
                               const PtxMnemonic &Op) {
  const bool IsLoad = Op.word(1) == "load";
  const size_t AtAddress = IsLoad ? 1 : 0;
  if (S.Operands.size() != 3)
    return false;
  unsigned Space = GenericSpace;
  for (StringRef Word : Op.Words)
    Space = std::max(Space, addressSpaceOf(Word));
  Value *Address = L.address(S.Operands[AtAddress], Space);
  const std::string Name =
      ("llvm.nvvm.wmma." + shapeOf(Op) + "." + Op.word(1) + "." + Op.word(2) +
       layoutOf(Op) + ".stride." + Op.type().Text)
          .str();
  const Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(Name + ".p0");
  if (ID == Intrinsic::not_intrinsic)
    return false;
  Function *F = Intrinsic::getOrInsertDeclaration(&L.symbols().To, ID,
                                                  {Address->getType()});
  SmallVector<Value *, 12> Operands = {Address};
  if (!IsLoad &&
      !readFragment(L, S.Operands[1], F->getFunctionType(), Operands))
    return false;
  Operands.push_back(L.read(S.Operands[2], L.intType(32)));
  if (Operands.size() != F->arg_size() ||
      (IsLoad &&
       numResults(F->getReturnType()) != S.Operands[0].Elements.size()))
    return false;
  Value *Result = L.Builder.CreateCall(F, Operands);
  if (IsLoad)
    writeFragment(L, S.Operands[0], Result);
  return true;
}

/// "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 d, a, b, c" is
/// llvm.nvvm.wmma.m16n16k16.mma.row.col.f32.f32.
static bool liftProduct(FunctionLifter &L, const PtxStatement &S,
                        const PtxMnemonic &Op) {
  const StringRef Shape = shapeOf(Op);
  if (S.Operands.size() != 4 || Shape.empty())
    return false;
  StringRef Types = Op.Text.split(Shape).second;
  const bool IsSaturating = Types.consume_back(".satfinite");
  // Whole and short numbers are named by the operands alone.
  SmallVector<StringRef, 4> Words;
  Types.split(Words, '.', -1, /*KeepEmpty=*/false);
  const std::string Stem =
      ("llvm.nvvm.wmma." + Shape + ".mma" + layoutOf(Op)).str();
  for (StringRef Named :
       {Types, Words.size() == 4 ? StringRef(Words[1]) : StringRef()}) {
    const std::string Name =
        (Stem + (Named.starts_with(".") || Named.empty() ? "" : ".") + Named +
         (IsSaturating ? ".satfinite" : ""))
            .str();
    const Intrinsic::ID ID = Intrinsic::lookupIntrinsicID(Name);
    if (ID == Intrinsic::not_intrinsic || Intrinsic::getName(ID) != Name)
      continue;
    Function *F = Intrinsic::getOrInsertDeclaration(&L.symbols().To, ID);
    SmallVector<Value *, 24> Operands;
    for (const PtxOperand &O : drop_begin(S.Operands))
      if (!readFragment(L, O, F->getFunctionType(), Operands))
        return false;
    if (Operands.size() != F->arg_size() ||
        numResults(F->getReturnType()) != S.Operands[0].Elements.size())
      return false;
    writeFragment(L, S.Operands[0], L.Builder.CreateCall(F, Operands));
    return true;
  }
  return false;
}

static bool liftFragment(FunctionLifter &L, const PtxStatement &S,
                         const PtxMnemonic &Op) {
  if (Op.Words.size() < 4)
    return false;
  return Op.word(1) == "mma" ? liftProduct(L, S, Op)
                             : liftFragmentAccess(L, S, Op);
}

ArrayRef<LiftRow> gpuocc::matrixRows() {
  static constexpr LiftRow Rows[] = {{"wmma", liftFragment}};
  return Rows;
}
