//===- LiftBits.cpp - PTX operations on bits to LLVM IR -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionLifter.h"
#include "llvm/IR/Intrinsics.h"

using namespace gpuocc;
using namespace llvm;

static bool liftLogic(FunctionLifter &L, const PtxStatement &S,
                      const PtxMnemonic &Op) {
  if (S.Operands.size() != 3)
    return false;
  const Instruction::BinaryOps What = Op.first() == "and"  ? Instruction::And
                                      : Op.first() == "or" ? Instruction::Or
                                                           : Instruction::Xor;
  Value *A = L.read(S.Operands[1], Op.type());
  Value *B = L.read(S.Operands[2], Op.type());
  L.write(S.Operands[0], L.Builder.CreateBinOp(What, A, B));
  return true;
}

static bool liftNot(FunctionLifter &L, const PtxStatement &S,
                    const PtxMnemonic &Op) {
  if (S.Operands.size() != 2)
    return false;
  L.write(S.Operands[0], L.Builder.CreateNot(L.read(S.Operands[1], Op.type())));
  return true;
}

/// Distances of "shl" and "shr" have 32 bits, and what is shifted out is lost.
/// Kernels shift by less.
static bool liftShift(FunctionLifter &L, const PtxStatement &S,
                      const PtxMnemonic &Op) {
  if (S.Operands.size() != 3)
    return false;
  const PtxType T = Op.type();
  Value *A = L.read(S.Operands[1], T);
  Value *By = L.convert(L.read(S.Operands[2], L.intType(32)), A->getType());
  if (const auto *C = dyn_cast<ConstantInt>(By);
      C && C->getValue().uge(T.Bits) && !T.isSigned()) {
    L.write(S.Operands[0], Constant::getNullValue(A->getType()));
    return true;
  }
  L.write(S.Operands[0], Op.first() == "shl" ? L.Builder.CreateShl(A, By)
                         : T.isSigned()      ? L.Builder.CreateAShr(A, By)
                                             : L.Builder.CreateLShr(A, By));
  return true;
}

static bool liftFunnelShift(FunctionLifter &L, const PtxStatement &S,
                            const PtxMnemonic &Op) {
  if (S.Operands.size() != 4)
    return false;
  const bool IsLeft = Op.has("l");
  Value *Low = L.read(S.Operands[1], Op.type());
  Value *High = L.read(S.Operands[2], Op.type());
  Value *By = L.read(S.Operands[3], Op.type());
  Value *Result = Op.has("clamp")
                      ? L.intrinsic(IsLeft ? "llvm.nvvm.fshl.clamp"
                                           : "llvm.nvvm.fshr.clamp",
                                    {High, Low, By}, {Low->getType()})
                      : L.Builder.CreateIntrinsic(
                            IsLeft ? Intrinsic::fshl : Intrinsic::fshr,
                            {Low->getType()}, {High, Low, By});
  if (Result)
    L.write(S.Operands[0], Result);
  return Result;
}

/// "bfe": constant fields as the shift and the mask that the backend makes it
/// of.
static bool liftExtract(FunctionLifter &L, const PtxStatement &S,
                        const PtxMnemonic &Op) {
  using Kind = PtxOperand::Kind;
  if (S.Operands.size() != 4 || S.Operands[2].K != Kind::Integer ||
      S.Operands[3].K != Kind::Integer)
    return false;
  const PtxType T = Op.type();
  const uint64_t At = uint64_t(S.Operands[2].Number),
                 Length = uint64_t(S.Operands[3].Number);
  if (Length == 0 || At > T.Bits || Length > T.Bits || At + Length > T.Bits)
    return false;
  Value *A = L.read(S.Operands[1], T);
  if (T.isSigned()) {
    A = L.Builder.CreateShl(A, T.Bits - At - Length);
    L.write(S.Operands[0], L.Builder.CreateAShr(A, T.Bits - Length));
    return true;
  }
  A = L.Builder.CreateLShr(A, At);
  L.write(S.Operands[0],
          L.Builder.CreateAnd(A, L.Builder.getInt(APInt::getLowBitsSet(
                                     T.Bits, unsigned(Length)))));
  return true;
}

static bool liftCount(FunctionLifter &L, const PtxStatement &S,
                      const PtxMnemonic &Op) {
  if (S.Operands.size() != 2)
    return false;
  Value *A = L.read(S.Operands[1], Op.type());
  const StringRef Word = Op.first();
  Value *Result = Word == "popc"
                      ? L.Builder.CreateUnaryIntrinsic(Intrinsic::ctpop, A)
                  : Word == "brev"
                      ? L.Builder.CreateUnaryIntrinsic(Intrinsic::bitreverse, A)
                      : L.Builder.CreateBinaryIntrinsic(Intrinsic::ctlz, A,
                                                        L.Builder.getFalse());
  // Counts have 32 bits.
  L.write(S.Operands[0], Result);
  return true;
}

static bool liftPermute(FunctionLifter &L, const PtxStatement &S,
                        const PtxMnemonic &Op) {
  if (S.Operands.size() != 4 || Op.Words.size() != 2)
    return false;
  Type *T = L.intType(32);
  Value *Result = L.intrinsic("llvm.nvvm.prmt", {L.read(S.Operands[1], T),
                                                 L.read(S.Operands[2], T),
                                                 L.read(S.Operands[3], T)});
  if (Result)
    L.write(S.Operands[0], Result);
  return Result;
}

ArrayRef<LiftRow> gpuocc::bitRows() {
  static constexpr LiftRow Rows[] = {
      {"and", liftLogic},       {"or", liftLogic},    {"xor", liftLogic},
      {"not", liftNot},         {"shl", liftShift},   {"shr", liftShift},
      {"shf", liftFunnelShift}, {"bfe", liftExtract}, {"popc", liftCount},
      {"brev", liftCount},      {"clz", liftCount},   {"prmt", liftPermute}};
  return Rows;
}
