//===- LowerArithmetic.cpp - Arithmetic of NVPTX as code of the host ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

namespace {

/// "add.rn.ftz.f": the operation, and what its further words say.
struct Operation {
  StringRef Name;
  SmallVector<StringRef, 6> Words;

  explicit Operation(StringRef Text) {
    Text.split(Words, '.');
    Name = Words.front();
  }
  bool has(StringRef Word) const { return is_contained(Words, Word); }
  /// Rounds toward zero, down or up.
  StringRef directedRounding() const {
    for (StringRef R : {"rz", "rm", "rp"})
      if (has(R))
        return R;
    return "";
  }
};

/// Builds the code of one operation.
class Arithmetic {
public:
  Arithmetic(CallLowering &L, StringRef Name)
      : L(L), B(L.Builder), Op(Name), T(L.Call.getType()) {}

  Value *lower();

private:
  Value *compute();
  Value *floating();
  Value *directed();
  Value *minMax();
  Value *toInteger();
  Value *fromInteger();
  Value *bits();
  Value *pieces();
  Value *products();

  Value *in(unsigned I) { return L.operand(I); }
  Value *unary(Intrinsic::ID Id) {
    return B.CreateUnaryIntrinsic(Id, flushed(in(0)));
  }
  Value *one() { return ConstantFP::get(T, 1.0); }
  /// Where the operation says so, numbers below the normal ones are zeros of
  /// their sign.
  Value *flushed(Value *V);
  /// The value between 0 and 1; NaN becomes 0.
  Value *saturated(Value *V);
  Value *rounded(Value *V);

  CallLowering &L;
  IRBuilder<> &B;
  const Operation Op;
  Type *const T;
};

} // namespace

Value *Arithmetic::flushed(Value *V) {
  if (!Op.has("ftz") || !V->getType()->getScalarType()->isFloatTy())
    return V;
  Type *F = V->getType();
  Value *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, V);
  Value *IsTiny =
      B.CreateFCmpOLT(Size, ConstantFP::get(F, APFloat::getSmallestNormalized(
                                                   APFloat::IEEEsingle())));
  Value *Zero =
      B.CreateBinaryIntrinsic(Intrinsic::copysign, ConstantFP::getZero(F), V);
  return B.CreateSelect(IsTiny, Zero, V);
}

Value *Arithmetic::saturated(Value *V) {
  Value *Zero = ConstantFP::getZero(V->getType());
  Value *Low = B.CreateBinaryIntrinsic(Intrinsic::maxnum, V, Zero);
  return B.CreateBinaryIntrinsic(Intrinsic::minnum, Low,
                                 ConstantFP::get(V->getType(), 1.0));
}

/// Operations in the rounding that hosts have, and approximations, which are
/// computed to the last bit.
Value *Arithmetic::floating() {
  const auto Plain = StringSwitch<Intrinsic::ID>(Op.Name)
                         .Case("sqrt", Intrinsic::sqrt)
                         .Case("fabs", Intrinsic::fabs)
                         .Case("floor", Intrinsic::floor)
                         .Case("ceil", Intrinsic::ceil)
                         .Case("trunc", Intrinsic::trunc)
                         .Case("round", Intrinsic::roundeven)
                         .Case("ex2", Intrinsic::exp2)
                         .Case("lg2", Intrinsic::log2)
                         .Case("sin", Intrinsic::sin)
                         .Case("cos", Intrinsic::cos)
                         .Case("tanh", Intrinsic::tanh)
                         .Default(Intrinsic::not_intrinsic);
  if (Plain != Intrinsic::not_intrinsic)
    return unary(Plain);
  if (Op.Name == "add")
    return B.CreateFAdd(flushed(in(0)), flushed(in(1)));
  if (Op.Name == "sub")
    return B.CreateFSub(flushed(in(0)), flushed(in(1)));
  if (Op.Name == "mul")
    return B.CreateFMul(flushed(in(0)), flushed(in(1)));
  if (Op.Name == "div")
    return B.CreateFDiv(flushed(in(0)), flushed(in(1)));
  if (Op.Name == "fma")
    return B.CreateIntrinsic(Intrinsic::fma, {T},
                             {flushed(in(0)), flushed(in(1)), flushed(in(2))});
  if (Op.Name == "rcp")
    return B.CreateFDiv(one(), flushed(in(0)));
  if (Op.Name == "rsqrt")
    return B.CreateFDiv(one(), unary(Intrinsic::sqrt));
  if (Op.Name == "neg")
    return B.CreateFNeg(in(0));
  if (Op.Name == "saturate")
    return saturated(flushed(in(0)));
  return nullptr;
}

/// Operations that round another way are functions of the runtime:
/// "gpuocc_fma_rz_f".
Value *Arithmetic::directed() {
  const StringRef Rounding = Op.directedRounding();
  if (Rounding.empty() || !(T->isFloatTy() || T->isDoubleTy()) ||
      !is_contained({"add", "sub", "mul", "div", "fma", "rcp", "sqrt"},
                    Op.Name))
    return nullptr;
  SmallVector<Value *, 3> Operands;
  for (Value *V : L.Call.args())
    Operands.push_back(flushed(V));
  StringRef What = Op.Name;
  if (What == "sub") {
    What = "add";
    Operands[1] = B.CreateFNeg(Operands[1]);
  }
  return L.callRuntime(
      ("gpuocc_" + What + "_" + Rounding + (T->isFloatTy() ? "_f" : "_d"))
          .str(),
      T, Operands);
}

Value *Arithmetic::minMax() {
  if (Op.Name != "fmin" && Op.Name != "fmax")
    return nullptr;
  if (Op.has("xorsign"))
    return nullptr;
  const bool IsMin = Op.Name == "fmin";
  // A number, where one is NaN; -0 is less than +0.
  const Intrinsic::ID Id =
      Op.has("nan") ? (IsMin ? Intrinsic::minimum : Intrinsic::maximum)
                    : (IsMin ? Intrinsic::minimumnum : Intrinsic::maximumnum);
  return B.CreateBinaryIntrinsic(Id, flushed(in(0)), flushed(in(1)));
}

/// \p V as a whole number, by the rounding that the operation names.
Value *Arithmetic::rounded(Value *V) {
  const Intrinsic::ID Id = Op.has("rn")   ? Intrinsic::roundeven
                           : Op.has("rm") ? Intrinsic::floor
                           : Op.has("rp") ? Intrinsic::ceil
                                          : Intrinsic::trunc;
  return B.CreateUnaryIntrinsic(Id, V);
}

/// "f2i", "d2ull": out of range becomes the nearest number, NaN 0.
Value *Arithmetic::toInteger() {
  if (!is_contained(
          {"f2i", "f2ui", "f2ll", "f2ull", "d2i", "d2ui", "d2ll", "d2ull"},
          Op.Name) ||
      Op.has("hi") || Op.has("lo"))
    return nullptr;
  Value *V = rounded(flushed(in(0)));
  return B.CreateIntrinsic(Op.Name[2] == 'u' ? Intrinsic::fptoui_sat
                                             : Intrinsic::fptosi_sat,
                           {T, V->getType()}, {V});
}

Value *Arithmetic::fromInteger() {
  const bool IsUnsigned = Op.Name.starts_with("u");
  if (!is_contained(
          {"i2f", "ui2f", "ll2f", "ull2f", "i2d", "ui2d", "ll2d", "ull2d"},
          Op.Name))
    return nullptr;
  if (const StringRef Rounding = Op.directedRounding(); !Rounding.empty())
    return L.callRuntime(("gpuocc_" + Op.Name + "_" + Rounding).str(), T,
                         {in(0)});
  return IsUnsigned ? B.CreateUIToFP(in(0), T) : B.CreateSIToFP(in(0), T);
}

/// Halves of a double, and numbers of half the width.
Value *Arithmetic::pieces() {
  if (Op.Name == "d2i" && (Op.has("lo") || Op.has("hi"))) {
    Value *Bits = B.CreateBitCast(in(0), B.getInt64Ty());
    return B.CreateTrunc(Op.has("hi") ? B.CreateLShr(Bits, 32) : Bits, T);
  }
  if (Op.Name == "lohi") {
    Value *Low = B.CreateZExt(in(0), B.getInt64Ty());
    Value *High = B.CreateShl(B.CreateZExt(in(1), B.getInt64Ty()), 32);
    return B.CreateBitCast(B.CreateOr(Low, High), T);
  }
  if (Op.Name == "f2h" || Op.Name == "f2bf" || Op.Name == "d2f") {
    const StringRef Rounding = Op.directedRounding();
    if (Op.Name == "d2f" && !Rounding.empty())
      return L.callRuntime(("gpuocc_d2f_" + Rounding).str(), T, {in(0)});
    if (!Rounding.empty())
      return nullptr;
    if (Op.Name == "d2f")
      return B.CreateFPTrunc(in(0), T);
    Type *Half = Op.Name == "f2h" ? B.getHalfTy() : B.getBFloatTy();
    return B.CreateBitCast(B.CreateFPTrunc(in(0), Half), T);
  }
  return nullptr;
}

/// Products of whole numbers.
Value *Arithmetic::products() {
  const StringRef Kind = Op.Words.size() > 1 ? Op.Words[1] : StringRef();
  const bool IsUnsigned = Kind.starts_with("u");
  if (Op.Name == "mulhi") {
    const unsigned Bits = T->getIntegerBitWidth();
    Type *Wide = B.getIntNTy(2 * Bits);
    auto Widen = [&](Value *V) {
      return IsUnsigned ? B.CreateZExt(V, Wide) : B.CreateSExt(V, Wide);
    };
    return B.CreateTrunc(
        B.CreateLShr(B.CreateMul(Widen(in(0)), Widen(in(1))), Bits), T);
  }
  if (Op.Name == "mul24") {
    auto Cut = [&](Value *V) {
      Value *Up = B.CreateShl(V, 8);
      return IsUnsigned ? B.CreateLShr(Up, 8) : B.CreateAShr(Up, 8);
    };
    return B.CreateMul(Cut(in(0)), Cut(in(1)));
  }
  if (Op.Name == "sad") {
    Value *Less = IsUnsigned ? B.CreateICmpULT(in(0), in(1))
                             : B.CreateICmpSLT(in(0), in(1));
    Value *Distance = B.CreateSelect(Less, B.CreateSub(in(1), in(0)),
                                     B.CreateSub(in(0), in(1)));
    return B.CreateAdd(Distance, in(2));
  }
  // "idp4a.s.u": four bytes of each; "idp2a": two of the first by two bytes.
  if (Op.Name == "idp4a" || Op.Name == "idp2a") {
    const bool IsFour = Op.Name == "idp4a";
    Value *Sum = L.Call.getArgOperand(L.Call.arg_size() - 1);
    Value *High = IsFour ? nullptr : in(2);
    auto Part = [&](Value *V, unsigned Bits, Value *At, StringRef Sign) {
      Value *Cut = B.CreateTrunc(B.CreateLShr(V, At), B.getIntNTy(Bits));
      return Sign == "u" ? B.CreateZExt(Cut, T) : B.CreateSExt(Cut, T);
    };
    for (unsigned I = 0; I != (IsFour ? 4u : 2u); ++I) {
      Value *At = L.number(I * 8);
      if (High)
        At = B.CreateAdd(At, B.CreateShl(B.CreateZExt(High, T), 4));
      Sum = B.CreateAdd(
          Sum, B.CreateMul(Part(in(0), IsFour ? 8 : 16,
                                L.number(I * (IsFour ? 8 : 16)), Op.Words[1]),
                           Part(in(1), 8, At, Op.Words[2])));
    }
    return Sum;
  }
  return nullptr;
}

/// Bits and bytes of whole numbers.
Value *Arithmetic::bits() {
  if (Op.Name == "prmt" && Op.Words.size() == 1)
    return L.callRuntime("gpuocc_prmt", T, {in(0), in(1), in(2)});
  if (Op.Name == "fns")
    return L.callRuntime("gpuocc_fns", T, {in(0), in(1), in(2)});
  if (Op.Name == "flo") {
    // The place of the highest bit, or of the highest that is not the sign.
    Value *V = in(0);
    if (Op.has("s"))
      V = B.CreateXor(V,
                      B.CreateAShr(V, V->getType()->getIntegerBitWidth() - 1));
    Value *Zeros =
        B.CreateIntrinsic(Intrinsic::ctlz, {V->getType()}, {V, B.getFalse()});
    Value *Count = B.CreateZExtOrTrunc(Zeros, T);
    Value *Last = ConstantInt::get(T, V->getType()->getIntegerBitWidth() - 1);
    Value *Place = B.CreateSub(Last, Count);
    return B.CreateSelect(
        B.CreateTrunc(in(1), B.getInt1Ty()),
        B.CreateSelect(B.CreateICmpEQ(V, Constant::getNullValue(V->getType())),
                       Constant::getAllOnesValue(T), Count),
        Place);
  }
  if (Op.Name == "fshl" || Op.Name == "fshr") {
    // The amount is at most 32.
    Value *Amount =
        B.CreateBinaryIntrinsic(Intrinsic::umin, in(2), L.number(32));
    Value *Wide = B.CreateZExt(Amount, B.getInt64Ty());
    Value *Both =
        B.CreateOr(B.CreateShl(B.CreateZExt(in(0), B.getInt64Ty()), 32),
                   B.CreateZExt(in(1), B.getInt64Ty()));
    Value *Shifted = Op.Name == "fshr"
                         ? B.CreateLShr(Both, Wide)
                         : B.CreateLShr(B.CreateShl(Both, Wide), 32);
    return B.CreateTrunc(Shifted, T);
  }
  return nullptr;
}

Value *Arithmetic::compute() {
  for (auto Family :
       {&Arithmetic::pieces, &Arithmetic::toInteger, &Arithmetic::fromInteger,
        &Arithmetic::products, &Arithmetic::bits, &Arithmetic::minMax,
        &Arithmetic::directed, &Arithmetic::floating})
    if (Value *V = (this->*Family)())
      return V;
  return nullptr;
}

Value *Arithmetic::lower() {
  Value *V = compute();
  if (!V || !T->getScalarType()->isFloatingPointTy())
    return V;
  V = flushed(V);
  if (Op.has("sat"))
    V = saturated(V);
  if (Op.has("relu"))
    V = B.CreateBinaryIntrinsic(Intrinsic::maximumnum, V,
                                ConstantFP::getZero(T));
  return V;
}

Value *gpuocc::execute::lowerArithmetic(CallLowering &L, StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.") || L.Call.getType()->isVoidTy())
    return nullptr;
  // "f2tf32.rna" is "cvt.rna.tf32.f32".
  if (Name.consume_front("f2tf32."))
    return lowerSteps(L, ("cvt." + Name + ".tf32.f32 $0, $1;").str());
  return Arithmetic(L, Name).lower();
}
