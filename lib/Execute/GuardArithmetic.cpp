//===- GuardArithmetic.cpp - Arithmetic that hosts do otherwise -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

/// By zero all bits are set, and the lowest number by -1 stays what it is; the
/// host would fault.
static Value *quotient(IRBuilder<> &B, BinaryOperator &I) {
  const auto Op = I.getOpcode();
  const bool Signed = Op == Instruction::SDiv || Op == Instruction::SRem;
  const bool IsRemainder = Op == Instruction::URem || Op == Instruction::SRem;
  Value *X = I.getOperand(0), *Y = I.getOperand(1);
  Type *T = I.getType();
  Value *Zero = Constant::getNullValue(T), *Ones = Constant::getAllOnesValue(T);
  Value *IsZero = B.CreateICmpEQ(Y, Zero);
  Value *IsMinusOne = Signed ? B.CreateICmpEQ(Y, Ones) : nullptr;
  Value *IsUnsafe = Signed ? B.CreateOr(IsZero, IsMinusOne) : IsZero;
  Value *R =
      B.CreateBinOp(Op, X, B.CreateSelect(IsUnsafe, ConstantInt::get(T, 1), Y));
  if (Signed && !IsRemainder)
    R = B.CreateSelect(IsMinusOne, B.CreateNeg(X), R);
  return B.CreateSelect(IsZero, Ones, R);
}

/// What is shifted by its width or more is gone, but for the sign.
static Value *shift(IRBuilder<> &B, BinaryOperator &I) {
  Value *X = I.getOperand(0), *By = I.getOperand(1);
  Type *T = I.getType();
  const unsigned Bits = T->getScalarSizeInBits();
  Value *Near = B.CreateBinaryIntrinsic(Intrinsic::umin, By,
                                        ConstantInt::get(T, Bits - 1));
  Value *R = B.CreateBinOp(I.getOpcode(), X, Near);
  if (I.getOpcode() == Instruction::AShr)
    return R;
  return B.CreateSelect(B.CreateICmpUGE(By, ConstantInt::get(T, Bits)),
                        Constant::getNullValue(T), R);
}

/// Is \p V a divisor that no host faults on?
static bool isSafeDivisor(const Value *V) {
  const auto *C = dyn_cast<ConstantInt>(V);
  return C && !C->isZero() && !C->isMinusOne();
}

/// Does the value of \p I say where the sum or product of its operands lies?
static bool isPartOfAddress(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::Or:
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::PHI:
    return true;
  default:
    return false;
  }
}

/// The sums and products in \p F that addresses are made of.
static SmallPtrSet<const Instruction *, 16> addressesIn(const Function &F) {
  SmallPtrSet<const Instruction *, 16> Found;
  SmallVector<const Instruction *, 16> Next;
  auto Visit = [&](const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    if (I && isPartOfAddress(*I) && Found.insert(I).second)
      Next.push_back(I);
  };
  for (const Instruction &I : instructions(F))
    if (const auto *Element = dyn_cast<GetElementPtrInst>(&I))
      for_each(Element->indices(), Visit);
    else if (isa<IntToPtrInst>(I))
      Visit(I.getOperand(0));
  while (!Next.empty())
    for_each(Next.pop_back_val()->operands(), Visit);
  return Found;
}

/// Numbers wrap around on a device, and programs hash with signed ones, of
/// which clang says that they never do. Addresses keep that: threads that
/// follow each other are vectorized by it.
static void letNumbersWrap(Function &F) {
  const auto Addresses = addressesIn(F);
  for (Instruction &I : instructions(F))
    if (isa<OverflowingBinaryOperator>(I) && !Addresses.contains(&I)) {
      I.setHasNoSignedWrap(false);
      I.setHasNoUnsignedWrap(false);
    }
}

void gpuocc::execute::guardArithmetic(Module &M) {
  for_each(M, letNumbersWrap);
  for (Function &F : M)
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Op = dyn_cast<BinaryOperator>(&I);
      if (!Op || !Op->getType()->isIntOrIntVectorTy())
        continue;
      IRBuilder<> B(Op);
      Value *Guarded = nullptr;
      if (Op->isIntDivRem() && !isSafeDivisor(Op->getOperand(1)))
        Guarded = quotient(B, *Op);
      else if (Op->isShift() && !isa<Constant>(Op->getOperand(1)))
        Guarded = shift(B, *Op);
      if (!Guarded)
        continue;
      Op->replaceAllUsesWith(Guarded);
      Op->eraseFromParent();
    }
}
