//===- LiftConvert.cpp - PTX conversions to LLVM IR ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Intrinsics.h"

using namespace gpuocc;
using namespace llvm;

static bool isWide(const PtxType &T) {
  return T.Text == "f32" || T.Text == "f64";
}
static bool isHalf(const PtxType &T) {
  return T.Text == "f16" || T.Text == "bf16";
}

/// The rounding to a whole number: "rn" of ".rni".
static StringRef wholeRounding(const PtxMnemonic &Op) {
  for (StringRef R : {"rni", "rzi", "rmi", "rpi"})
    if (Op.has(R))
      return R.take_front(2);
  return StringRef();
}

/// "llvm.nvvm.f2i.rz.ftz"
static Value *floatToInteger(FunctionLifter &L, const PtxMnemonic &Op,
                             const PtxType &To, const PtxType &From, Value *V) {
  StringRef Rounding = wholeRounding(Op);
  if (isWide(From) && To.Bits < 32 && Rounding == "rz")
    return To.isSigned() ? L.Builder.CreateFPToSI(V, L.typeOf(To))
                         : L.Builder.CreateFPToUI(V, L.typeOf(To));
  if (!isWide(From) || To.Bits < 32 || Rounding.empty())
    return nullptr;
  const StringRef Kind = To.Bits == 32 ? (To.isSigned() ? "i" : "ui")
                                       : (To.isSigned() ? "ll" : "ull");
  return L.intrinsic("llvm.nvvm." + StringRef(From.Bits == 32 ? "f" : "d") +
                         "2" + Kind + "." + Rounding +
                         (Op.has("ftz") ? ".ftz" : ""),
                     {V});
}

static Value *integerToFloat(FunctionLifter &L, const PtxMnemonic &Op,
                             const PtxType &To, const PtxType &From, Value *V) {
  if (Op.rounding() == "rn")
    return From.isSigned() ? L.Builder.CreateSIToFP(V, L.typeOf(To))
                           : L.Builder.CreateUIToFP(V, L.typeOf(To));
  if (!isWide(To) || From.Bits < 32)
    return nullptr;
  const StringRef Kind = From.Bits == 32 ? (From.isSigned() ? "i" : "ui")
                                         : (From.isSigned() ? "ll" : "ull");
  return L.intrinsic("llvm.nvvm." + Kind + "2" + (To.Bits == 32 ? "f." : "d.") +
                         Op.rounding(),
                     {V});
}

/// A number of the same width: rounded to a whole one, or saturated.
static Value *sameFloat(FunctionLifter &L, const PtxMnemonic &Op,
                        const PtxType &T, Value *V) {
  const Intrinsic::ID ID = StringSwitch<Intrinsic::ID>(wholeRounding(Op))
                               .Case("rn", Intrinsic::rint)
                               .Case("rz", Intrinsic::trunc)
                               .Case("rm", Intrinsic::floor)
                               .Case("rp", Intrinsic::ceil)
                               .Default(Intrinsic::not_intrinsic);
  if (Op.has("sat"))
    return isWide(T) && ID == Intrinsic::not_intrinsic
               ? L.intrinsic(StringRef("llvm.nvvm.saturate.") +
                                 (Op.has("ftz") ? "ftz." : "") +
                                 (T.Bits == 32 ? "f" : "d"),
                             {V})
               : nullptr;
  if (ID == Intrinsic::not_intrinsic)
    return nullptr;
  return L.Builder.CreateUnaryIntrinsic(ID, V);
}

static Value *floatToFloat(FunctionLifter &L, const PtxMnemonic &Op,
                           const PtxType &To, const PtxType &From, Value *V) {
  if (!(isWide(To) || isHalf(To)) || !(isWide(From) || isHalf(From)))
    return nullptr;
  if (To.Text == From.Text)
    return sameFloat(L, Op, To, V);
  if (Op.has("sat") || Op.has("satfinite") || Op.has("relu"))
    return nullptr;
  if (To.Bits > From.Bits)
    return L.Builder.CreateFPExt(V, L.typeOf(To));
  if (Op.rounding() != "rn" || To.Bits == From.Bits)
    return nullptr;
  return L.Builder.CreateFPTrunc(V, L.typeOf(To));
}

/// "cvt.rn.f16x2.f32 d, a, b", "cvt.rna.tf32.f32 d, a"
static bool liftPack(FunctionLifter &L, const PtxStatement &S,
                     const PtxMnemonic &Op) {
  const PtxType To = Op.type(1);
  if (Op.type().Text != "f32")
    return false;
  SmallVector<Value *, 2> Operands;
  for (const PtxOperand &O : drop_begin(S.Operands))
    Operands.push_back(L.read(O, Op.type()));
  const std::string Suffix = std::string(Op.has("relu") ? ".relu" : "") +
                             (Op.has("satfinite") ? ".satfinite" : "");
  Value *Result = nullptr;
  if (To.Text == "f16x2" || To.Text == "bf16x2")
    Result = L.intrinsic(
        "llvm.nvvm.ff2" + To.Text + "." + Op.rounding() + Suffix, Operands);
  else if (To.Text == "tf32")
    Result = L.intrinsic(
        "llvm.nvvm.f2tf32." +
            (Op.has("rna") ? StringRef("rna") : Op.rounding()) + Suffix,
        Operands);
  if (Result)
    L.write(S.Operands[0], Result);
  return Result;
}

static bool liftConvert(FunctionLifter &L, const PtxStatement &S,
                        const PtxMnemonic &Op) {
  if (Op.Words.size() < 3 || S.Operands.size() < 2)
    return false;
  const PtxType From = Op.type(), To = Op.type(1);
  if (To.Text.contains('x') || To.Text == "tf32" || S.Operands.size() > 2)
    return liftPack(L, S, Op);
  if (From.Bits == 0 || To.Bits == 0 || From.Text.contains('x'))
    return false;
  if (Op.has("sat") && !(From.isFloat() && To.isFloat()))
    return false;
  Value *V = L.read(S.Operands[1], From);
  Value *Result = nullptr;
  if (!From.isFloat() && !To.isFloat())
    Result = L.convert(V, L.typeOf(To), From.isSigned());
  else if (From.isFloat() && To.isFloat())
    Result = floatToFloat(L, Op, To, From, V);
  else
    Result = To.isFloat() ? integerToFloat(L, Op, To, From, V)
                          : floatToInteger(L, Op, To, From, V);
  if (Result)
    L.write(S.Operands[0], Result, To.isSigned());
  return Result;
}

/// "cvta.to.global.u64 d, a" and "cvta.global.u64 d, a"
static bool liftConvertAddress(FunctionLifter &L, const PtxStatement &S,
                               const PtxMnemonic &Op) {
  if (S.Operands.size() != 2 || Op.Words.size() < 3)
    return false;
  const bool ToSpace = Op.has("to");
  const unsigned Space = addressSpaceOf(Op.word(ToSpace ? 2 : 1));
  if (Space == GenericSpace)
    return false;
  LLVMContext &Context = L.Builder.getContext();
  PointerType *Generic = PointerType::get(Context, GenericSpace);
  PointerType *Specific = PointerType::get(Context, Space);
  PointerType *From = ToSpace ? Generic : Specific;
  Value *V = L.read(S.Operands[1], From);
  L.write(S.Operands[0],
          L.Builder.CreateAddrSpaceCast(V, ToSpace ? Specific : Generic));
  return true;
}

ArrayRef<LiftRow> gpuocc::convertRows() {
  static constexpr LiftRow Rows[] = {{"cvt", liftConvert},
                                     {"cvta", liftConvertAddress}};
  return Rows;
}
