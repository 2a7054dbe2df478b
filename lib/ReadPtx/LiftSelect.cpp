//===- LiftSelect.cpp - PTX moves, comparisons and choices to LLVM IR ---===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"

using namespace gpuocc;
using namespace llvm;

static bool liftMove(FunctionLifter &L, const PtxStatement &S,
                     const PtxMnemonic &Op) {
  if (S.Operands.size() != 2)
    return false;
  L.write(S.Operands[0],
          L.read(S.Operands[1], L.intType(std::max(1u, Op.type().Bits))));
  return true;
}

namespace {
struct CompareRow {
  StringLiteral Word;
  CmpInst::Predicate Signed, Unsigned, Float;
};
} // namespace

using P = CmpInst::Predicate;
static constexpr P None = P::BAD_ICMP_PREDICATE;
static constexpr CompareRow Compares[] = {
    {"eq", P::ICMP_EQ, P::ICMP_EQ, P::FCMP_OEQ},
    {"ne", P::ICMP_NE, P::ICMP_NE, P::FCMP_ONE},
    {"lt", P::ICMP_SLT, P::ICMP_ULT, P::FCMP_OLT},
    {"le", P::ICMP_SLE, P::ICMP_ULE, P::FCMP_OLE},
    {"gt", P::ICMP_SGT, P::ICMP_UGT, P::FCMP_OGT},
    {"ge", P::ICMP_SGE, P::ICMP_UGE, P::FCMP_OGE},
    {"lo", P::ICMP_ULT, P::ICMP_ULT, None},
    {"ls", P::ICMP_ULE, P::ICMP_ULE, None},
    {"hi", P::ICMP_UGT, P::ICMP_UGT, None},
    {"hs", P::ICMP_UGE, P::ICMP_UGE, None},
    {"equ", None, None, P::FCMP_UEQ},
    {"neu", None, None, P::FCMP_UNE},
    {"ltu", None, None, P::FCMP_ULT},
    {"leu", None, None, P::FCMP_ULE},
    {"gtu", None, None, P::FCMP_UGT},
    {"geu", None, None, P::FCMP_UGE},
    {"num", None, None, P::FCMP_ORD},
    {"nan", None, None, P::FCMP_UNO}};

/// The comparison of operands \p First and the next; null when there is none.
static Value *compare(FunctionLifter &L, const PtxStatement &S,
                      const PtxMnemonic &Op, const PtxType &T, unsigned First) {
  if (Op.Words.size() < 3 || T.Bits == 0)
    return nullptr;
  for (const CompareRow &R : Compares) {
    if (R.Word != Op.word(1))
      continue;
    const P Predicate = T.isFloat()    ? R.Float
                        : T.isSigned() ? R.Signed
                                       : R.Unsigned;
    Value *A = L.read(S.Operands[First], T);
    Value *B = L.read(S.Operands[First + 1], T);
    if (Predicate == None || A->getType()->isVectorTy())
      return nullptr;
    return L.Builder.CreateCmp(Predicate, A, B);
  }
  return nullptr;
}

/// \p Holds joined with predicate \p With by ".and", ".or" or ".xor".
static Value *joined(FunctionLifter &L, const PtxMnemonic &Op, Value *Holds,
                     Value *With) {
  return Op.has("and")  ? L.Builder.CreateAnd(Holds, With)
         : Op.has("or") ? L.Builder.CreateOr(Holds, With)
                        : L.Builder.CreateXor(Holds, With);
}

/// "setp.lt.and.s32 p|q, a, b, c"
static bool liftSetPredicate(FunctionLifter &L, const PtxStatement &S,
                             const PtxMnemonic &Op) {
  if (S.Operands.size() < 3 || S.Operands.size() > 4)
    return false;
  Value *Holds = compare(L, S, Op, Op.type(), 1);
  if (!Holds)
    return false;
  Value *Fails =
      S.Operands[0].Second.empty() ? nullptr : L.Builder.CreateNot(Holds);
  if (S.Operands.size() == 4) {
    Value *With = L.read(S.Operands[3], L.Builder.getInt1Ty());
    Holds = joined(L, Op, Holds, With);
    if (Fails)
      Fails = joined(L, Op, Fails, With);
  }
  PtxOperand To = S.Operands[0];
  L.write(To, Holds);
  if (Fails) {
    To.Name = To.Second;
    L.write(To, Fails);
  }
  return true;
}

/// "set.lt.u32.f32 d, a, b": all bits, or 1.0.
static bool liftSet(FunctionLifter &L, const PtxStatement &S,
                    const PtxMnemonic &Op) {
  if (S.Operands.size() != 3)
    return false;
  Value *Holds = compare(L, S, Op, Op.type(), 1);
  if (!Holds)
    return false;
  Type *To = L.typeOf(Op.type(1));
  L.write(S.Operands[0],
          To->isFloatingPointTy()
              ? L.Builder.CreateSelect(Holds, ConstantFP::get(To, 1),
                                       ConstantFP::get(To, 0))
              : L.Builder.CreateSExt(Holds, To));
  return true;
}

static bool liftSelect(FunctionLifter &L, const PtxStatement &S,
                       const PtxMnemonic &Op) {
  if (S.Operands.size() != 4)
    return false;
  Value *A = L.read(S.Operands[1], Op.type());
  Value *B = L.read(S.Operands[2], Op.type());
  Value *If = L.read(S.Operands[3], L.Builder.getInt1Ty());
  L.write(S.Operands[0], L.Builder.CreateSelect(If, A, B));
  return true;
}

/// "slct.f32.s32 d, a, b, c": a where c is not negative.
static bool liftSelectBySign(FunctionLifter &L, const PtxStatement &S,
                             const PtxMnemonic &Op) {
  if (S.Operands.size() != 4 || Op.Words.size() < 3)
    return false;
  Value *A = L.read(S.Operands[1], Op.type(1));
  Value *B = L.read(S.Operands[2], Op.type(1));
  Value *C = L.read(S.Operands[3], Op.type());
  Value *Zero = Constant::getNullValue(C->getType());
  Value *If = Op.type().isFloat() ? L.Builder.CreateFCmpOGE(C, Zero)
                                  : L.Builder.CreateICmpSGE(C, Zero);
  L.write(S.Operands[0], L.Builder.CreateSelect(If, A, B));
  return true;
}

ArrayRef<LiftRow> gpuocc::selectRows() {
  static constexpr LiftRow Rows[] = {{"mov", liftMove},
                                     {"setp", liftSetPredicate},
                                     {"set", liftSet},
                                     {"selp", liftSelect},
                                     {"slct", liftSelectBySign}};
  return Rows;
}
