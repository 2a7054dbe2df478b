//===- LiftArithmetic.cpp - PTX arithmetic to LLVM IR ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/IR/Intrinsics.h"

using namespace gpuocc;
using namespace llvm;

static bool isFloat(const PtxMnemonic &Op) { return Op.type().isFloat(); }

/// Carries, saturation and all else that plain IR does not have.
static bool isPlainInteger(const PtxMnemonic &Op) {
  return !isFloat(Op) && !Op.has("cc") && !Op.has("sat") && Op.type().Bits != 0;
}

/// "llvm.nvvm.add.rz.ftz.f" for floats that are not rounded to the nearest.
static Value *rounded(FunctionLifter &L, StringRef Word, const PtxMnemonic &Op,
                      ArrayRef<Value *> Operands) {
  const PtxType T = Op.type();
  if (T.Text != "f32" && T.Text != "f64")
    return nullptr;
  const StringRef Rounding = Op.rounding();
  return L.intrinsic(
      "llvm.nvvm." + Word + "." + (Rounding.empty() ? "rn" : Rounding) +
          (Op.has("ftz") ? ".ftz" : "") + (Op.has("sat") ? ".sat" : "") +
          (T.Bits == 32 ? ".f" : ".d"),
      Operands);
}

/// Rounded to the nearest number, as IR instructions are.
static bool isNearest(const PtxMnemonic &Op) {
  const StringRef R = Op.rounding();
  return (R.empty() || R == "rn") && !Op.has("sat");
}

static bool liftBinary(FunctionLifter &L, const PtxStatement &S,
                       const PtxMnemonic &Op, Instruction::BinaryOps Integer,
                       Instruction::BinaryOps Float, StringRef Rounded) {
  if (S.Operands.size() != 3)
    return false;
  const PtxType T = Op.type();
  if (!isFloat(Op) && !isPlainInteger(Op))
    return false;
  Value *A = L.read(S.Operands[1], T), *B = L.read(S.Operands[2], T);
  if (!isFloat(Op)) {
    L.write(S.Operands[0], L.Builder.CreateBinOp(Integer, A, B));
    return true;
  }
  // What says how it is rounded is neither fused nor folded.
  Value *Result =
      Op.rounding().empty() ? nullptr : rounded(L, Rounded, Op, {A, B});
  if (!Result && isNearest(Op)) {
    Result = L.Builder.CreateBinOp(Float, A, B);
    if (auto *I = dyn_cast<Instruction>(Result))
      I->setHasAllowContract(Op.rounding().empty());
  }
  if (!Result)
    return false;
  L.write(S.Operands[0], Result);
  return true;
}

static bool liftAdd(FunctionLifter &L, const PtxStatement &S,
                    const PtxMnemonic &Op) {
  return liftBinary(L, S, Op, Instruction::Add, Instruction::FAdd, "add");
}

static bool liftSub(FunctionLifter &L, const PtxStatement &S,
                    const PtxMnemonic &Op) {
  return liftBinary(L, S, Op, Instruction::Sub, Instruction::FSub, "sub");
}

/// The product of whole numbers that "mul" or "mad" with ".lo", ".hi" or
/// ".wide" makes of operands 1 and 2; null when there is no form.
static Value *product(FunctionLifter &L, const PtxStatement &S,
                      const PtxMnemonic &Op) {
  const PtxType T = Op.type();
  if (Op.has("wide")) {
    Type *Wide = L.intType(2 * T.Bits);
    Value *A = L.read(S.Operands[1], T), *B = L.read(S.Operands[2], T);
    const bool IsSigned = T.isSigned();
    A = IsSigned ? L.Builder.CreateSExt(A, Wide)
                 : L.Builder.CreateZExt(A, Wide);
    B = IsSigned ? L.Builder.CreateSExt(B, Wide)
                 : L.Builder.CreateZExt(B, Wide);
    return L.Builder.CreateMul(A, B, "", /*NUW=*/!IsSigned, /*NSW=*/IsSigned);
  }
  Value *A = L.read(S.Operands[1], T), *B = L.read(S.Operands[2], T);
  if (!Op.has("hi"))
    return L.Builder.CreateMul(A, B);
  const StringRef Kind = T.Bits == 16 ? "s" : T.Bits == 32 ? "i" : "ll";
  return L.intrinsic("llvm.nvvm.mulhi." + (T.isSigned()   ? Kind
                                           : T.Bits == 16 ? StringRef("us")
                                           : T.Bits == 32 ? StringRef("ui")
                                                          : StringRef("ull")),
                     {A, B});
}

static bool liftMul(FunctionLifter &L, const PtxStatement &S,
                    const PtxMnemonic &Op) {
  if (isFloat(Op))
    return liftBinary(L, S, Op, Instruction::Mul, Instruction::FMul, "mul");
  if (S.Operands.size() != 3 || !isPlainInteger(Op))
    return false;
  Value *P = product(L, S, Op);
  if (P)
    L.write(S.Operands[0], P);
  return P;
}

static bool liftFma(FunctionLifter &L, const PtxStatement &S,
                    const PtxMnemonic &Op) {
  if (S.Operands.size() != 4 || !isFloat(Op) || Op.has("relu") || Op.has("oob"))
    return false;
  const PtxType T = Op.type();
  Value *A = L.read(S.Operands[1], T), *B = L.read(S.Operands[2], T),
        *C = L.read(S.Operands[3], T);
  Value *Result =
      isNearest(Op)
          ? L.Builder.CreateIntrinsic(Intrinsic::fma, {A->getType()}, {A, B, C})
          : rounded(L, "fma", Op, {A, B, C});
  if (Result)
    L.write(S.Operands[0], Result);
  return Result;
}

static bool liftMad(FunctionLifter &L, const PtxStatement &S,
                    const PtxMnemonic &Op) {
  if (isFloat(Op))
    return liftFma(L, S, Op);
  if (S.Operands.size() != 4 || !isPlainInteger(Op))
    return false;
  Value *P = product(L, S, Op);
  if (!P)
    return false;
  Value *C = L.read(S.Operands[3], P->getType());
  L.write(S.Operands[0], L.Builder.CreateAdd(P, C));
  return true;
}

static bool liftMul24(FunctionLifter &L, const PtxStatement &S,
                      const PtxMnemonic &Op) {
  if (!Op.has("lo") || S.Operands.size() < 3)
    return false;
  const PtxType T = Op.type();
  Value *P =
      L.intrinsic(T.isSigned() ? "llvm.nvvm.mul24.i" : "llvm.nvvm.mul24.ui",
                  {L.read(S.Operands[1], T), L.read(S.Operands[2], T)});
  if (!P)
    return false;
  if (Op.first() == "mad24")
    P = L.Builder.CreateAdd(P, L.read(S.Operands[3], T));
  L.write(S.Operands[0], P);
  return true;
}

static bool liftQuotient(FunctionLifter &L, const PtxStatement &S,
                         const PtxMnemonic &Op) {
  if (S.Operands.size() != 3)
    return false;
  const PtxType T = Op.type();
  const bool IsDivision = Op.first() == "div";
  Value *A = L.read(S.Operands[1], T), *B = L.read(S.Operands[2], T);
  Value *Result = nullptr;
  if (!isFloat(Op)) {
    Result = L.Builder.CreateBinOp(
        IsDivision ? (T.isSigned() ? Instruction::SDiv : Instruction::UDiv)
                   : (T.isSigned() ? Instruction::SRem : Instruction::URem),
        A, B);
  } else if (Op.has("approx")) {
    Result = L.intrinsic(Op.has("ftz") ? "llvm.nvvm.div.approx.ftz.f"
                                       : "llvm.nvvm.div.approx.f",
                         {A, B});
  } else if (Op.has("full")) {
    Result = L.intrinsic(Op.has("ftz") ? "llvm.nvvm.div.full.ftz"
                                       : "llvm.nvvm.div.full",
                         {A, B});
  } else {
    Result = rounded(L, "div", Op, {A, B});
  }
  if (Result)
    L.write(S.Operands[0], Result);
  return Result;
}

static bool liftMinMax(FunctionLifter &L, const PtxStatement &S,
                       const PtxMnemonic &Op) {
  const bool IsClamped = Op.has("relu");
  if (S.Operands.size() != 3 || Op.has("xorsign") || (IsClamped && isFloat(Op)))
    return false;
  const PtxType T = Op.type();
  const bool IsMin = Op.first() == "min";
  Value *A = L.read(S.Operands[1], T), *B = L.read(S.Operands[2], T);
  Intrinsic::ID ID;
  if (isFloat(Op) && Op.has("NaN"))
    ID = IsMin ? Intrinsic::minimum : Intrinsic::maximum;
  else if (isFloat(Op))
    ID = IsMin ? Intrinsic::minnum : Intrinsic::maxnum;
  else if (T.isSigned())
    ID = IsMin ? Intrinsic::smin : Intrinsic::smax;
  else
    ID = IsMin ? Intrinsic::umin : Intrinsic::umax;
  Value *Result = L.Builder.CreateBinaryIntrinsic(ID, A, B);
  if (IsClamped)
    Result = L.Builder.CreateBinaryIntrinsic(
        Intrinsic::smax, Result, Constant::getNullValue(Result->getType()));
  L.write(S.Operands[0], Result);
  return true;
}

static bool liftNegAbs(FunctionLifter &L, const PtxStatement &S,
                       const PtxMnemonic &Op) {
  if (S.Operands.size() != 2)
    return false;
  Value *A = L.read(S.Operands[1], Op.type());
  const bool IsNegation = Op.first() == "neg";
  // Of halves the backend turns the sign around as it does with whole numbers.
  if (IsNegation && isFloat(Op) && A->getType()->getScalarSizeInBits() == 16)
    return false;
  Value *Result = nullptr;
  if (IsNegation)
    Result = isFloat(Op) ? L.Builder.CreateFNeg(A) : L.Builder.CreateNeg(A);
  else if (isFloat(Op))
    Result =
        L.intrinsic(Op.has("ftz") ? "llvm.nvvm.fabs.ftz" : "llvm.nvvm.fabs",
                    {A}, {A->getType()});
  else
    Result = L.Builder.CreateBinaryIntrinsic(Intrinsic::abs, A,
                                             L.Builder.getFalse());
  L.write(S.Operands[0], Result);
  return true;
}

/// "copysign d, a, b" is b with the sign of a.
static bool liftCopySign(FunctionLifter &L, const PtxStatement &S,
                         const PtxMnemonic &Op) {
  const PtxType T = Op.type();
  if (S.Operands.size() != 3 || !isFloat(Op))
    return false;
  L.write(S.Operands[0], L.Builder.CreateCopySign(L.read(S.Operands[2], T),
                                                  L.read(S.Operands[1], T)));
  return true;
}

ArrayRef<LiftRow> gpuocc::arithmeticRows() {
  static constexpr LiftRow Rows[] = {
      {"add", liftAdd},     {"sub", liftSub},          {"mul", liftMul},
      {"mad", liftMad},     {"fma", liftFma},          {"mul24", liftMul24},
      {"mad24", liftMul24}, {"div", liftQuotient},     {"rem", liftQuotient},
      {"min", liftMinMax},  {"max", liftMinMax},       {"neg", liftNegAbs},
      {"abs", liftNegAbs},  {"copysign", liftCopySign}};
  return Rows;
}
