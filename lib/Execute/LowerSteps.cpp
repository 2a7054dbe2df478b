//===- LowerSteps.cpp - Steps of PTX instructions as IR -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "gpuocc/Kernel/PtxSteps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Intrinsics.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

namespace {

/// Values are numbers of 64 bits whose bits above those of a step are zero.
class StepBuilder {
public:
  StepBuilder(CallLowering &L, const PtxBlock &Block, unsigned NumResults)
      : L(L), B(L.Builder), Block(Block), NumResults(NumResults) {}

  /// What takes the place of the call; null where a step has no form here.
  Value *build();

private:
  Value *number(uint64_t N) { return B.getInt64(N); }
  Value *lowBits(Value *V, unsigned Bits) {
    return Bits >= 64 ? V : B.CreateAnd(V, (uint64_t(1) << Bits) - 1);
  }
  Value *extended(Value *V, unsigned Bits) {
    return Bits >= 64 ? V : B.CreateAShr(B.CreateShl(V, 64 - Bits), 64 - Bits);
  }
  Value *asNumber(Value *V);
  Value *asType(Value *V, Type *T);
  Value *asFloat(Value *V, unsigned Bits);
  Value *fromFloat(Value *V);
  Value *operand(const PtxRef &Ref);

  Value *integer(const PtxStep &S, ArrayRef<Value *> O);
  Value *product(const PtxStep &S, ArrayRef<Value *> O);
  Value *bits(const PtxStep &S, ArrayRef<Value *> O);
  Value *move(const PtxStep &S, ArrayRef<Value *> O);
  Value *floats(const PtxStep &S, ArrayRef<Value *> O);
  Value *conversion(const PtxStep &S, ArrayRef<Value *> O);
  Value *lower(const PtxStep &S);

  Value *quotient(const PtxStep &S, Value *X, Value *Y);
  Value *shift(Semantics What, unsigned Bits, Value *V, Value *By);
  Value *lowOnes(Value *Length);
  Value *compare(const PtxStep &S, Value *X, Value *Y);

  CallLowering &L;
  IRBuilder<> &B;
  const PtxBlock &Block;
  const unsigned NumResults;
  std::vector<Value *> Values;
};

} // namespace

Value *StepBuilder::asNumber(Value *V) {
  Type *T = V->getType();
  if (T->isPointerTy())
    return B.CreatePtrToInt(V, B.getInt64Ty());
  if (!T->isIntegerTy())
    V = B.CreateBitCast(V, B.getIntNTy(T->getPrimitiveSizeInBits()));
  return B.CreateZExtOrTrunc(V, B.getInt64Ty());
}

Value *StepBuilder::asType(Value *V, Type *T) {
  if (T->isIntegerTy())
    return B.CreateZExtOrTrunc(V, T);
  return B.CreateBitCast(
      B.CreateTrunc(V, B.getIntNTy(T->getPrimitiveSizeInBits())), T);
}

Value *StepBuilder::asFloat(Value *V, unsigned Bits) {
  return asType(V, Bits == 64 ? B.getDoubleTy() : B.getFloatTy());
}

Value *StepBuilder::fromFloat(Value *V) { return asNumber(V); }

Value *StepBuilder::operand(const PtxRef &Ref) {
  switch (Ref.K) {
  case PtxRef::Kind::Step:
    return Ref.Result == 0 ? Values[Ref.Index] : nullptr;
  case PtxRef::Kind::Number:
    return number(uint64_t(Ref.Number));
  case PtxRef::Kind::Argument:
    if (Ref.Index < NumResults || Ref.Index - NumResults >= L.Call.arg_size())
      return nullptr;
    return asNumber(L.operand(Ref.Index - NumResults));
  case PtxRef::Kind::Unknown:
    break;
  }
  return nullptr;
}

/// By zero all bits are set. The host would fault there and where the quotient
/// overflows.
Value *StepBuilder::quotient(const PtxStep &S, Value *X, Value *Y) {
  const bool Signed = S.What == Semantics::DivS || S.What == Semantics::RemS;
  const bool IsRemainder =
      S.What == Semantics::RemS || S.What == Semantics::RemU;
  X = Signed ? extended(X, S.Bits) : lowBits(X, S.Bits);
  Y = Signed ? extended(Y, S.Bits) : lowBits(Y, S.Bits);
  Value *IsZero = B.CreateICmpEQ(Y, number(0));
  Value *Safe = B.CreateSelect(IsZero, number(1), Y);
  Value *R;
  if (Signed) {
    Value *IsMinusOne = B.CreateICmpEQ(Y, number(~uint64_t(0)));
    Safe = B.CreateSelect(IsMinusOne, number(1), Safe);
    R = IsRemainder
            ? B.CreateSRem(X, Safe)
            : B.CreateSelect(IsMinusOne, B.CreateNeg(X), B.CreateSDiv(X, Safe));
  } else {
    R = IsRemainder ? B.CreateURem(X, Safe) : B.CreateUDiv(X, Safe);
  }
  return B.CreateSelect(IsZero, number(~uint64_t(0)), R);
}

/// Distances have 32 bits; what is further than the width leaves nothing, or
/// the sign.
Value *StepBuilder::shift(Semantics What, unsigned Bits, Value *V, Value *By) {
  By = lowBits(By, 32);
  Value *IsFar = B.CreateICmpUGE(By, number(Bits));
  Value *Near = B.CreateSelect(IsFar, number(Bits - 1), By);
  if (What == Semantics::ShrS)
    return B.CreateAShr(extended(V, Bits), Near);
  V = lowBits(V, Bits);
  Value *R =
      What == Semantics::Shl ? B.CreateShl(V, Near) : B.CreateLShr(V, Near);
  return B.CreateSelect(IsFar, number(0), R);
}

/// Ones in the low \p Length bits of 64.
Value *StepBuilder::lowOnes(Value *Length) {
  return B.CreateNot(shift(Semantics::Shl, 64, number(~uint64_t(0)), Length));
}

Value *StepBuilder::compare(const PtxStep &S, Value *X, Value *Y) {
  using P = CmpInst::Predicate;
  P Predicate = P::BAD_ICMP_PREDICATE;
  bool Signed = false;
  switch (S.Compare) {
  case ComparePredicate::EQ:
    Predicate = P::ICMP_EQ;
    break;
  case ComparePredicate::NE:
    Predicate = P::ICMP_NE;
    break;
  case ComparePredicate::LTS:
    Predicate = P::ICMP_SLT;
    Signed = true;
    break;
  case ComparePredicate::LES:
    Predicate = P::ICMP_SLE;
    Signed = true;
    break;
  case ComparePredicate::GTS:
    Predicate = P::ICMP_SGT;
    Signed = true;
    break;
  case ComparePredicate::GES:
    Predicate = P::ICMP_SGE;
    Signed = true;
    break;
  case ComparePredicate::LTU:
    Predicate = P::ICMP_ULT;
    break;
  case ComparePredicate::LEU:
    Predicate = P::ICMP_ULE;
    break;
  case ComparePredicate::GTU:
    Predicate = P::ICMP_UGT;
    break;
  case ComparePredicate::GEU:
    Predicate = P::ICMP_UGE;
    break;
  case ComparePredicate::Other:
    return nullptr;
  }
  X = Signed ? extended(X, S.Bits) : lowBits(X, S.Bits);
  Y = Signed ? extended(Y, S.Bits) : lowBits(Y, S.Bits);
  return B.CreateZExt(B.CreateICmp(Predicate, X, Y), B.getInt64Ty());
}

Value *StepBuilder::integer(const PtxStep &S, ArrayRef<Value *> O) {
  const unsigned Bits = S.Bits;
  switch (S.What) {
  case Semantics::Add:
    return B.CreateAdd(O[0], O[1]);
  case Semantics::Sub:
    return B.CreateSub(O[0], O[1]);
  case Semantics::Neg:
    return B.CreateNeg(O[0]);
  case Semantics::Abs: {
    Value *V = extended(O[0], Bits);
    return B.CreateBinaryIntrinsic(Intrinsic::abs, V, B.getFalse());
  }
  case Semantics::MinS:
  case Semantics::MaxS:
    return B.CreateBinaryIntrinsic(S.What == Semantics::MinS ? Intrinsic::smin
                                                             : Intrinsic::smax,
                                   extended(O[0], Bits), extended(O[1], Bits));
  case Semantics::MinU:
  case Semantics::MaxU:
    return B.CreateBinaryIntrinsic(S.What == Semantics::MinU ? Intrinsic::umin
                                                             : Intrinsic::umax,
                                   lowBits(O[0], Bits), lowBits(O[1], Bits));
  case Semantics::Select:
    return B.CreateSelect(B.CreateTrunc(O[2], B.getInt1Ty()), O[0], O[1]);
  case Semantics::Compare:
    return compare(S, O[0], O[1]);
  case Semantics::DivS:
  case Semantics::DivU:
  case Semantics::RemS:
  case Semantics::RemU:
    return quotient(S, O[0], O[1]);
  default:
    return nullptr;
  }
}

Value *StepBuilder::product(const PtxStep &S, ArrayRef<Value *> O) {
  const unsigned Half = S.Bits / 2;
  auto Signed = [&] {
    return B.CreateMul(extended(O[0], Half), extended(O[1], Half));
  };
  auto Unsigned = [&] {
    return B.CreateMul(lowBits(O[0], Half), lowBits(O[1], Half));
  };
  auto High = [&](bool IsSigned) {
    Type *Wide = B.getInt128Ty();
    auto Widen = [&](Value *V) {
      return IsSigned ? B.CreateSExt(extended(V, S.Bits), Wide)
                      : B.CreateZExt(lowBits(V, S.Bits), Wide);
    };
    return B.CreateTrunc(
        B.CreateLShr(B.CreateMul(Widen(O[0]), Widen(O[1])), S.Bits),
        B.getInt64Ty());
  };
  switch (S.What) {
  case Semantics::Mul:
    return B.CreateMul(O[0], O[1]);
  case Semantics::Mad:
    return B.CreateAdd(B.CreateMul(O[0], O[1]), O[2]);
  case Semantics::MulWideS:
    return Signed();
  case Semantics::MulWideU:
    return Unsigned();
  case Semantics::MadWideS:
    return B.CreateAdd(Signed(), O[2]);
  case Semantics::MadWideU:
    return B.CreateAdd(Unsigned(), O[2]);
  case Semantics::MulHiS:
  case Semantics::MulHiU:
    return High(S.What == Semantics::MulHiS);
  default:
    return nullptr;
  }
}

Value *StepBuilder::bits(const PtxStep &S, ArrayRef<Value *> O) {
  const unsigned Bits = S.Bits;
  auto Byte = [&](Value *V) { return lowBits(V, 8); };
  switch (S.What) {
  case Semantics::And:
    return B.CreateAnd(O[0], O[1]);
  case Semantics::Or:
    return B.CreateOr(O[0], O[1]);
  case Semantics::Xor:
    return B.CreateXor(O[0], O[1]);
  case Semantics::Not:
    return B.CreateNot(O[0]);
  case Semantics::Shl:
  case Semantics::ShrU:
  case Semantics::ShrS:
    return shift(S.What, Bits, O[0], O[1]);
  case Semantics::FunnelL:
  case Semantics::FunnelR: {
    Value *Pair = B.CreateOr(B.CreateShl(O[1], 32), lowBits(O[0], 32));
    Value *By = lowBits(O[2], 5);
    return S.What == Semantics::FunnelL
               ? B.CreateLShr(B.CreateShl(Pair, By), 32)
               : B.CreateLShr(Pair, By);
  }
  case Semantics::Popc:
    return B.CreateUnaryIntrinsic(Intrinsic::ctpop, lowBits(O[0], Bits));
  case Semantics::Clz:
    return B.CreateSub(B.CreateBinaryIntrinsic(
                           Intrinsic::ctlz, lowBits(O[0], Bits), B.getFalse()),
                       number(64 - Bits));
  case Semantics::Brev:
    return B.CreateLShr(B.CreateUnaryIntrinsic(Intrinsic::bitreverse, O[0]),
                        64 - Bits);
  case Semantics::BfeU:
  case Semantics::BfeS: {
    // Bits above the highest repeat it, so that long fields are filled.
    const bool Signed = S.What == Semantics::BfeS;
    Value *At = Byte(O[1]), *Length = Byte(O[2]);
    Value *V = Signed ? extended(O[0], Bits) : lowBits(O[0], Bits);
    Value *Moved = shift(Signed ? Semantics::ShrS : Semantics::ShrU, 64, V, At);
    if (!Signed)
      return B.CreateAnd(Moved, lowOnes(Length));
    Value *Unused =
        B.CreateSub(number(64), B.CreateBinaryIntrinsic(Intrinsic::umin, Length,
                                                        number(64)));
    Value *Field = shift(Semantics::ShrS, 64,
                         shift(Semantics::Shl, 64, Moved, Unused), Unused);
    return B.CreateSelect(B.CreateICmpEQ(Length, number(0)), number(0), Field);
  }
  case Semantics::Bfi: {
    Value *At = Byte(O[2]), *Length = Byte(O[3]);
    Value *Field = shift(Semantics::Shl, 64, lowOnes(Length), At);
    Value *Moved = shift(Semantics::Shl, 64, O[0], At);
    return B.CreateOr(B.CreateAnd(O[1], B.CreateNot(Field)),
                      B.CreateAnd(Moved, Field));
  }
  case Semantics::Prmt: {
    Value *Pair = B.CreateOr(B.CreateShl(O[1], 32), lowBits(O[0], 32));
    Value *Result = number(0);
    for (unsigned I = 0; I != 4; ++I) {
      Value *Nibble = B.CreateLShr(O[2], 4 * I);
      Value *Place = B.CreateShl(lowBits(Nibble, 3), 3);
      Value *Picked = Byte(B.CreateLShr(Pair, Place));
      Value *Sign = Byte(B.CreateAShr(extended(Picked, 8), 7));
      Value *IsSign = B.CreateICmpNE(B.CreateAnd(Nibble, number(8)), number(0));
      Result = B.CreateOr(
          Result, B.CreateShl(B.CreateSelect(IsSign, Sign, Picked), 8 * I));
    }
    return Result;
  }
  default:
    return nullptr;
  }
}

Value *StepBuilder::move(const PtxStep &S, ArrayRef<Value *> O) {
  switch (S.What) {
  case Semantics::Copy:
  case Semantics::Trunc:
    return O[0];
  case Semantics::SExt:
    return extended(O[0], S.FromBits);
  case Semantics::ZExt:
    return lowBits(O[0], S.FromBits);
  case Semantics::High:
    return B.CreateLShr(O[0], S.Bits);
  case Semantics::Pack: {
    const unsigned Part = S.Bits / unsigned(O.size());
    Value *R = number(0);
    for (auto [I, V] : enumerate(O))
      R = B.CreateOr(R, B.CreateShl(lowBits(V, Part), I * Part));
    return R;
  }
  default:
    return nullptr;
  }
}

/// Is \p S an approximation of the hardware?
static bool isApproximate(const PtxStep &S) {
  switch (S.What) {
  case Semantics::FDiv:
  case Semantics::FRcp:
  case Semantics::FSqrt:
    return S.Imm != 0;
  case Semantics::FRsqrt:
  case Semantics::FEx2:
  case Semantics::FLg2:
  case Semantics::FSin:
  case Semantics::FCos:
    return true;
  default:
    return false;
  }
}

Value *StepBuilder::floats(const PtxStep &S, ArrayRef<Value *> O) {
  if (S.What < Semantics::FAdd || S.What > Semantics::FCompare ||
      isApproximate(S))
    return nullptr;
  SmallVector<Value *, 3> F;
  for (Value *V : O)
    F.push_back(asFloat(V, S.Bits));
  Type *T = F.front()->getType();
  switch (S.What) {
  case Semantics::FAdd:
    return fromFloat(B.CreateFAdd(F[0], F[1]));
  case Semantics::FSub:
    return fromFloat(B.CreateFSub(F[0], F[1]));
  case Semantics::FMul:
    return fromFloat(B.CreateFMul(F[0], F[1]));
  case Semantics::FFma:
    return fromFloat(
        B.CreateIntrinsic(Intrinsic::fma, {T}, {F[0], F[1], F[2]}));
  case Semantics::FDiv:
    return fromFloat(B.CreateFDiv(F[0], F[1]));
  case Semantics::FRcp:
    return fromFloat(B.CreateFDiv(ConstantFP::get(T, 1), F[0]));
  case Semantics::FSqrt:
    return fromFloat(B.CreateUnaryIntrinsic(Intrinsic::sqrt, F[0]));
  case Semantics::FNeg:
    return fromFloat(B.CreateFNeg(F[0]));
  case Semantics::FAbs:
    return fromFloat(B.CreateUnaryIntrinsic(Intrinsic::fabs, F[0]));
  case Semantics::FMin:
  case Semantics::FMax: {
    const bool IsMin = S.What == Semantics::FMin;
    // -0 is less than 0; of a number and what is none the number counts.
    Value *Equal = IsMin ? B.CreateOr(O[0], O[1]) : B.CreateAnd(O[0], O[1]);
    Value *First =
        IsMin ? B.CreateFCmpOLT(F[0], F[1]) : B.CreateFCmpOGT(F[0], F[1]);
    First = B.CreateOr(First, B.CreateFCmpUNO(F[1], F[1]));
    return B.CreateSelect(B.CreateFCmpOEQ(F[0], F[1]), Equal,
                          B.CreateSelect(First, O[0], O[1]));
  }
  case Semantics::FCompare: {
    using P = CmpInst::Predicate;
    static constexpr std::pair<ComparePredicate, std::pair<P, P>> Rows[] = {
        {ComparePredicate::EQ, {P::FCMP_OEQ, P::FCMP_UEQ}},
        {ComparePredicate::NE, {P::FCMP_ONE, P::FCMP_UNE}},
        {ComparePredicate::LTS, {P::FCMP_OLT, P::FCMP_ULT}},
        {ComparePredicate::LES, {P::FCMP_OLE, P::FCMP_ULE}},
        {ComparePredicate::GTS, {P::FCMP_OGT, P::FCMP_UGT}},
        {ComparePredicate::GES, {P::FCMP_OGE, P::FCMP_UGE}}};
    for (const auto &[Of, Predicates] : Rows)
      if (S.Compare == Of)
        return B.CreateZExt(
            B.CreateFCmp(S.Imm ? Predicates.second : Predicates.first, F[0],
                         F[1]),
            B.getInt64Ty());
    return nullptr;
  }
  default:
    return nullptr;
  }
}

Value *StepBuilder::conversion(const PtxStep &S, ArrayRef<Value *> O) {
  Type *To = S.Bits == 64 ? B.getDoubleTy() : B.getFloatTy();
  if (S.What == Semantics::FFromS)
    return fromFloat(B.CreateSIToFP(extended(O[0], S.FromBits), To));
  if (S.What == Semantics::FFromU)
    return fromFloat(B.CreateUIToFP(lowBits(O[0], S.FromBits), To));
  if (S.What != Semantics::FToS && S.What != Semantics::FToU &&
      S.What != Semantics::FConvert)
    return nullptr;
  Value *V = asFloat(O[0], S.FromBits);
  switch (IntegerRounding(S.Imm)) {
  case IntegerRounding::None:
    break;
  case IntegerRounding::Nearest:
    V = B.CreateUnaryIntrinsic(Intrinsic::rint, V);
    break;
  case IntegerRounding::TowardZero:
    V = B.CreateUnaryIntrinsic(Intrinsic::trunc, V);
    break;
  case IntegerRounding::Down:
    V = B.CreateUnaryIntrinsic(Intrinsic::floor, V);
    break;
  case IntegerRounding::Up:
    V = B.CreateUnaryIntrinsic(Intrinsic::ceil, V);
    break;
  }
  if (S.What == Semantics::FConvert)
    return fromFloat(B.CreateFPCast(V, To));
  return B.CreateZExt(
      B.CreateIntrinsic(S.What == Semantics::FToS ? Intrinsic::fptosi_sat
                                                  : Intrinsic::fptoui_sat,
                        {B.getIntNTy(S.Bits), V->getType()}, {V}),
      B.getInt64Ty());
}

Value *StepBuilder::lower(const PtxStep &S) {
  SmallVector<Value *, 4> O;
  for (const PtxRef &R : S.Operands) {
    O.push_back(operand(R));
    if (!O.back())
      return nullptr;
  }
  if (O.empty())
    return nullptr;
  for (auto Family :
       {&StepBuilder::integer, &StepBuilder::product, &StepBuilder::bits,
        &StepBuilder::move, &StepBuilder::floats, &StepBuilder::conversion})
    if (Value *V = (this->*Family)(S, O))
      return S.What == Semantics::Compare || S.What == Semantics::FCompare
                 ? V
                 : lowBits(V, S.Bits);
  return nullptr;
}

Value *StepBuilder::build() {
  for (const PtxStep &S : Block.Steps) {
    Values.push_back(lower(S));
    if (!Values.back())
      return nullptr;
  }
  Type *T = L.Call.getType();
  if (!T->isStructTy()) {
    const PtxRef *R = Block.result(0);
    Value *V = R ? operand(*R) : nullptr;
    return V ? asType(V, T) : nullptr;
  }
  Value *All = PoisonValue::get(T);
  for (unsigned I = 0; I != T->getStructNumElements(); ++I) {
    const PtxRef *R = Block.result(I);
    Value *V = R ? operand(*R) : nullptr;
    if (!V)
      return nullptr;
    All = B.CreateInsertValue(All, asType(V, T->getStructElementType(I)), I);
  }
  return All;
}

Value *gpuocc::execute::lowerSteps(CallLowering &L, StringRef Text) {
  const PtxBlock Block = readPtxBlock(Text, PtxNumbers::All);
  // Where other blocks have their shared memory only the runtime knows.
  if (!Block.isLifted() || L.Call.getType()->isVoidTy() ||
      Text.contains("mapa"))
    return nullptr;
  const auto *T = dyn_cast<StructType>(L.Call.getType());
  return StepBuilder(L, Block, T ? T->getNumElements() : 1).build();
}
